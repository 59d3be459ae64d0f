import type { pictures as english } from '../en-US/pictures.ts'

export const pictures: Record<keyof typeof english, string> = {
  add: 'Dodaj sliko',
  change: 'Zamenjaj sliko',
  hint: 'JPEG, PNG, WebP, AVIF ali GIF, do 10 MB. Prikazana je v celoti; najlepše so kvadratne slike.',
  sending: 'Pošiljanje slike',
  saved: 'Slika je posodobljena.',
  not_saved: 'Slika ni shranjena. {why}',
  remove: 'Odstrani',
  remove_ask: 'Želite odstraniti sliko?',
  remove_text: 'Namesto nje bodo prikazane začetnice. Tega ni mogoče razveljaviti.',
  removed: 'Slika je odstranjena.',
  'field.not_a_picture': 'Te datoteke ni mogoče uporabiti kot slike. Izberite JPEG, PNG, WebP, AVIF ali GIF.',
  'field.svg_refused': 'Datotek SVG ne sprejemamo. Izberite JPEG, PNG, WebP, AVIF ali GIF.',
  'field.broken_picture': 'Slika je poškodovana ali nepopolna. Izberite drugo.',
  'field.polyglot': 'Datoteka ne vsebuje samo slike. Izberite drugo.',
  'field.too_many_pixels': 'Slika je prevelika. Sprejemamo do 50 megapik.',
}

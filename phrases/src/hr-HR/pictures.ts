import type { pictures as english } from '../en-US/pictures.ts'

export const pictures: Record<keyof typeof english, string> = {
  add: 'Dodaj sliku',
  change: 'Promijeni sliku',
  hint: 'JPEG, PNG, WebP, AVIF ili GIF, do 10 MB. Prikazuje se u cijelosti; najljepše su kvadratne slike.',
  sending: 'Slanje slike',
  saved: 'Slika je ažurirana.',
  not_saved: 'Slika nije spremljena. {why}',
  remove: 'Ukloni',
  remove_ask: 'Želite li ukloniti sliku?',
  remove_text: 'Umjesto nje prikazat će se inicijali. To se ne može poništiti.',
  removed: 'Slika je uklonjena.',
  'field.not_a_picture': 'Ova se datoteka ne može upotrijebiti kao slika. Odaberite JPEG, PNG, WebP, AVIF ili GIF.',
  'field.svg_refused': 'SVG datoteke ne prihvaćamo. Odaberite JPEG, PNG, WebP, AVIF ili GIF.',
  'field.broken_picture': 'Slika je oštećena ili nepotpuna. Odaberite drugu.',
  'field.polyglot': 'Datoteka ne sadrži samo sliku. Odaberite drugu.',
  'field.too_many_pixels': 'Slika je prevelika. Prihvaćamo do 50 megapiksela.',
}

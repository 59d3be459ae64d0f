import type { pictures as english } from '../en-US/pictures.ts'

export const pictures: Record<keyof typeof english, string> = {
  add: 'Dodaj sliko',
  change: 'Zamenjaj sliko',
  hint: 'JPEG, PNG, WebP, AVIF ali GIF, do 10 MB. Prikazana je cela; najlepše so kvadratne.',
  sending: 'Pošiljanje slike',
  saved: 'Nova slika je tu.',
  remove: 'Odstrani',
  remove_ask: 'Želite odstraniti sliko?',
  remove_text: 'Namesto nje bodo prikazane začetnice. Slika bo izbrisana in je ni mogoče vrniti.',
  removed: 'Slika je odstranjena.',
}

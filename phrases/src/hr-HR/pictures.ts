import type { pictures as english } from '../en-US/pictures.ts'

export const pictures: Record<keyof typeof english, string> = {
  add: 'Dodaj sliku',
  change: 'Promijeni sliku',
  hint: 'JPEG, PNG, WebP, AVIF ili GIF, do 10 MB. Prikazuje se cijela; najljepše su kvadratne.',
  sending: 'Slanje slike',
  saved: 'Nova slika je ovdje.',
  remove: 'Ukloni',
  remove_ask: 'Želite li ukloniti sliku?',
  remove_text: 'Umjesto nje prikazat će se inicijali. Slika će biti izbrisana i ne može se vratiti.',
  removed: 'Slika je uklonjena.',
}

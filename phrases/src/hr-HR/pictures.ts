import type { pictures as english } from '../en-US/pictures.ts'

export const pictures: Record<keyof typeof english, string> = {
  add: 'Dodaj sliku',
  change: 'Promijeni sliku',
  hint: 'JPEG, PNG, WebP, AVIF ili GIF, do 10 MB. Prikazuje se u cijelosti; najljepše su kvadratne slike.',
  sending: 'Slanje slike',
  saved: 'Slika je ažurirana.',
  remove: 'Ukloni',
  remove_ask: 'Želite li ukloniti sliku?',
  remove_text: 'Umjesto nje prikazat će se inicijali. To se ne može poništiti.',
  removed: 'Slika je uklonjena.',
}

import type { docs as english } from '../en-US/docs.ts'

export const docs: Record<keyof typeof english, string> = {
  search: 'Pretraživanje dokumentacije',
  found: 'Rezultati',
  found_count: '{count, plural, one {# rezultat} few {# rezultata} other {# rezultata}}',
  found_nothing: 'Nema rezultata. Pokušajte s drugom riječi.',
  apps: 'Na vaše aplikacije',
  contents: 'Sadržaj',
  on_this_page: 'Na ovoj stranici',
  neighbors: 'Prethodna i sljedeća stranica',
  in_english: 'Dokumentacija je na engleskom.',
  values: 'Prikaži vrijednosti za',
  'values.example': 'Ogledne vrijednosti',
  missing: 'Ova stranica ne postoji',
  missing_text: 'Možda je premještena. Pronađite je u sadržaju ili pretraživanjem.',
}

import type { guide as english } from '../en-US/guide.ts'

export const guide: Record<keyof typeof english, string> = {
  search: 'Pretraživanje dokumentacije',
  found: 'Rezultati',
  found_count: '{count, plural, one {# rezultat} few {# rezultata} other {# rezultata}}',
  found_nothing: 'Nema rezultata. Pokušajte s drugom riječi.',
  contents: 'Sadržaj',
  on_this_page: 'Na ovoj stranici',
  neighbours: 'Prethodna i sljedeća stranica',
  in_english: 'Dokumentacija je na engleskom.',
  values: 'Umetni vrijednosti aplikacije',
  'values.example': 'Vrijednosti za primjer',
  missing: 'Nema stranice s tim nazivom',
  missing_text: 'Možda je premještena. Sve stranice nalaze se u sadržaju i u pretraživanju.',
}

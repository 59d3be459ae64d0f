import type { guide as english } from '../en-US/guide.ts'

export const guide: Record<keyof typeof english, string> = {
  search: 'Iskanje po dokumentaciji',
  found: 'Zadetki',
  found_count: '{count, plural, one {# zadetek} two {# zadetka} few {# zadetki} other {# zadetkov}}',
  found_nothing: 'Ni zadetkov. Poskusite z drugo besedo.',
  contents: 'Vsebina',
  on_this_page: 'Na tej strani',
  neighbours: 'Prejšnja in naslednja stran',
  in_english: 'Dokumentacija je v angleščini.',
  values: 'Vstavi vrednosti aplikacije',
  'values.example': 'Vrednosti za zgled',
  missing: 'Strani s tem imenom ni',
  missing_text: 'Morda je bila prestavljena. Vse strani najdete v vsebini in z iskanjem.',
}

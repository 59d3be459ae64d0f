import type { docs as english } from '../en-US/docs.ts'

export const docs: Record<keyof typeof english, string> = {
  search: 'Iskanje po dokumentaciji',
  found: 'Zadetki',
  found_count: '{count, plural, one {# zadetek} two {# zadetka} few {# zadetki} other {# zadetkov}}',
  found_nothing: 'Ni zadetkov. Poskusite z drugo besedo.',
  apps: 'Na vaše aplikacije',
  contents: 'Vsebina',
  on_this_page: 'Na tej strani',
  neighbors: 'Prejšnja in naslednja stran',
  in_english: 'Dokumentacija je v angleščini.',
  values: 'Prikaži vrednosti za',
  'values.example': 'Vzorčne vrednosti',
  missing: 'Ta stran ne obstaja',
  missing_text: 'Morda je bila premaknjena. Poiščite jo v vsebini ali z iskanjem.',
}

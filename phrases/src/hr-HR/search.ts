import type { search as english } from '../en-US/search.ts'

export const search: Record<keyof typeof english, string> = {
  placeholder: 'Pretražite stranice, postavke, aplikacije i osobe',
  'group.pages': 'Stranice',
  'group.settings': 'Postavke',
  'group.organizations': 'Računi za programere',
  'group.apps': 'Aplikacije',
  'group.people': 'Osobe',
  found: '{count, plural, one {# rezultat} few {# rezultata} other {# rezultata}}',
  nothing: 'Nema rezultata za „{query}”',
  failed: 'Pretraživanje aplikacija i ljudi nije uspjelo. Pokušajte ponovno za trenutak.',
  keys: 'Odaberite tipkama sa strelicama i otvorite tipkom Enter.',
  theme: 'Izgled: {theme}',
  language: 'Jezik: {language}',
  connected: 'Povezana aplikacija',
  user: 'Koristi vaše aplikacije',
}

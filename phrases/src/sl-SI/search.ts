import type { search as english } from '../en-US/search.ts'

export const search: Record<keyof typeof english, string> = {
  placeholder: 'Poiščite strani, nastavitve, aplikacije in osebe',
  'group.pages': 'Strani',
  'group.settings': 'Nastavitve',
  'group.organizations': 'Razvijalski računi',
  'group.apps': 'Aplikacije',
  'group.people': 'Osebe',
  found: '{count, plural, one {# zadetek} two {# zadetka} few {# zadetki} other {# zadetkov}}',
  nothing: 'Za »{query}« ni zadetkov',
  failed: 'Iskanje po aplikacijah in ljudeh ni uspelo. Poskusite znova čez trenutek.',
  keys: 'Izberite s smernima tipkama in odprite s tipko Enter.',
  theme: 'Videz: {theme}',
  language: 'Jezik: {language}',
  connected: 'Povezana aplikacija',
  user: 'Uporablja vaše aplikacije',
}

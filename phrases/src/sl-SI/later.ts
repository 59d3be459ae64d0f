import type { later as english } from '../en-US/later.ts'

export const later: Record<keyof typeof english, string> = {
  label: 'Še ni tukaj',
  works: 'Kaj že deluje',
  security_password: 'Tukaj bo vse o vašem geslu. Spremenite ga lahko že zdaj.',
  two_factor: 'Tukaj boste vklopili prijavo v dveh korakih.',
  devices: 'Tukaj boste videli, kje ste prijavljeni, in se odjavili na daljavo.',
  connected_apps: 'Tukaj boste videli aplikacije, ki ste jim dovolili dostop, in ga preklicali.',
  'go.home': 'Pojdi domov',
  'go.applications': 'Pojdi na aplikacije',
  'go.password': 'Spremeni geslo',
}

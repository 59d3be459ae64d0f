import type { later as english } from '../en-US/later.ts'

export const later: Record<keyof typeof english, string> = {
  label: 'Još nije ovdje',
  works: 'Što već radi',
  security_password: 'Ovdje će biti sve o vašoj lozinki. Možete je promijeniti već sada.',
  two_factor: 'Ovdje ćete uključiti prijavu u dva koraka.',
  devices: 'Ovdje ćete vidjeti gdje ste prijavljeni i odjaviti se na daljinu.',
  connected_apps: 'Ovdje ćete vidjeti aplikacije kojima ste dopustili pristup i povući ga.',
  'go.home': 'Idi na početnu',
  'go.applications': 'Idi na aplikacije',
  'go.password': 'Promijeni lozinku',
}

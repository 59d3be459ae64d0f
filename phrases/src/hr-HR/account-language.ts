import type { accountLanguage as english } from '../en-US/account-language.ts'

export const accountLanguage: Record<keyof typeof english, string> = {
  offer: 'E-\u2060pošta i aplikacije i dalje koriste jezik vašeg računa.',
  accept: 'Promijeni i njega',
  done: 'Jezik računa je promijenjen.',
  failed: 'Jezik računa nije moguće promijeniti. Pokušajte ponovno.',
}

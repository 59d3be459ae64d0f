import type { accountLanguage as english } from '../en-US/account-language.ts'

export const accountLanguage: Record<keyof typeof english, string> = {
  offer: 'E-\u2060pošta in aplikacije še vedno uporabljajo jezik vašega računa.',
  accept: 'Spremeni tudi tega',
  done: 'Jezik računa je spremenjen.',
  failed: 'Jezika računa ni bilo mogoče spremeniti. Poskusite znova.',
}

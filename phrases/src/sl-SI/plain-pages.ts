import type { plainPages as english } from '../en-US/plain-pages.ts'

export const plainPages: Record<keyof typeof english, string> = {
  'continue.title': 'Prijavljeni ste',
  'continue.do': 'Nadaljuj',
  'leave.title': 'Se želite odjaviti?',
  'leave.asked_by': 'Aplikacija {app} vas želi odjaviti iz računa na tej napravi.',
  'leave.text': 'Na tej napravi boste odjavljeni iz računa.',
  'leave.do': 'Odjavi me',
  'leave.stay': 'Ne odjavi me',
  'apps.title': 'Odjavljamo vas',
  'apps.text': 'Odjavljamo vas tudi iz teh aplikacij: {apps}.',
}

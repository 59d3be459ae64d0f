import type { plainPages as english } from '../en-US/plain-pages.ts'

export const plainPages: Record<keyof typeof english, string> = {
  'continue.title': 'Prijavljeni ste',
  'continue.do': 'Nastavi',
  'leave.title': 'Želite li se odjaviti?',
  'leave.asked_by': 'Aplikacija {app} želi vas odjaviti iz računa na ovom uređaju.',
  'leave.text': 'Na ovom uređaju bit ćete odjavljeni iz računa.',
  'leave.do': 'Odjavi me',
  'leave.stay': 'Nemoj me odjaviti',
  'apps.title': 'Odjavljujemo vas',
  'apps.text': 'Odjavljujemo vas i iz ovih aplikacija: {apps}.',
}

import type { plainPages as english } from '../en-US/plain-pages.ts'

export const plainPages: Record<keyof typeof english, string> = {
  'continue.title': 'Prijavljeni ste',
  'continue.do': 'Nastavi',
  'password.text': 'Prijavite se novom.',
  'leave.title': 'Želite li se odjaviti?',
  'leave.asked_by': 'Aplikacija {app} želi vas odjaviti iz računa na ovom uređaju.',
  'leave.text': 'Na ovom uređaju bit ćete odjavljeni iz računa.',
  'leave.do': 'Odjavi me',
  'leave.stay': 'Nemoj me odjaviti',
  'apps.title': 'Odjavljujemo vas',
  'apps.text': 'Odjavljujemo vas i iz ovih aplikacija: {apps}.',
  'factors.title': 'Želite li ukloniti drugi korak i pristupne ključeve?',
  'factors.text':
    'Operater je zamoljen da s vašeg računa ukloni prijavu u dva koraka i sve pristupne ključeve. To će se dogoditi {when}.',
  'factors.hint': 'Ako niste tražili pomoć, zaustavite to sada. Vaš račun ostaje kakav jest.',
  'factors.keep': 'Zaustavi i zadrži sve',
  'factors.stopped': 'Ništa neće biti uklonjeno',
  'factors.stopped_text':
    'Prijava u dva koraka i pristupni ključevi ostaju na vašem računu. Ako niste tražili pomoć, javite to operateru ove instalacije.',
  'factors.done': 'Prijava u dva koraka i pristupni ključevi su uklonjeni',
  'factors.done_text':
    'Prijavite se lozinkom i ponovno ih postavite. Ako niste tražili pomoć, odmah promijenite lozinku i javite to operateru ove instalacije.',
  'factors.invalid': 'Poveznica nije valjana',
  'factors.invalid_text': 'Provjerite jeste li otvorili cijelu adresu iz najnovije poruke.',
}

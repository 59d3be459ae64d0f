import type { plainPages as english } from '../en-US/plain-pages.ts'

export const plainPages: Record<keyof typeof english, string> = {
  'continue.title': 'Prijavljeni ste',
  'continue.do': 'Nadaljuj',
  'password.text': 'Prijavite se z novim.',
  'leave.title': 'Se želite odjaviti?',
  'leave.asked_by': 'Aplikacija {app} vas želi odjaviti iz računa na tej napravi.',
  'leave.text': 'Na tej napravi boste odjavljeni iz računa.',
  'leave.do': 'Odjavi me',
  'leave.stay': 'Ne odjavi me',
  'apps.title': 'Odjavljamo vas',
  'apps.text': 'Odjavljamo vas tudi iz teh aplikacij: {apps}.',
  'factors.title': 'Želite odstraniti drugi korak in ključe za dostop?',
  'factors.text':
    'Upravljavec je dobil prošnjo, naj z vašega računa odstrani prijavo v dveh korakih in vse ključe za dostop. To se bo zgodilo {when}.',
  'factors.hint': 'Če niste prosili za pomoč, to ustavite zdaj. Vaš račun bo ostal tak, kot je.',
  'factors.keep': 'Ustavi in obdrži vse',
  'factors.stopped': 'Nič ne bo odstranjeno',
  'factors.stopped_text':
    'Prijava v dveh korakih in ključi za dostop ostanejo na vašem računu. Če niste prosili za pomoč, to sporočite upravljavcu te namestitve.',
  'factors.done': 'Prijava v dveh korakih in ključi za dostop so odstranjeni',
  'factors.done_text':
    'Prijavite se z geslom in jih nastavite na novo. Če niste prosili za pomoč, takoj spremenite geslo in to sporočite upravljavcu te namestitve.',
  'factors.invalid': 'Povezava ni veljavna',
  'factors.invalid_text': 'Preverite, ali ste odprli celoten naslov iz najnovejšega sporočila.',
}

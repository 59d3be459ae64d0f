import type { operators as english } from '../en-US/operators.ts'

export const operators: Record<keyof typeof english, string> = {
  'problem.second_factor_required': 'Računu najprej dodajte ključ za dostop ali vklopite prijavo v dveh korakih.',
  'problem.last_operator': 'Namestitev potrebuje skrbnika. Najprej določite drugega skrbnika.',
  'problem.already_operator': 'Ta oseba je že med upravljavci.',
  failed: 'Strani ni bilo mogoče naložiti',
  failed_text: 'Preverite povezavo in poskusite znova.',
  'setup.title': 'Nastavitev te namestitve',
  'setup.text':
    'Postali boste skrbnik te namestitve, z računom {name} ({email}). Skrbniki določajo, kdo jo še upravlja.',
  'setup.factor': 'Najprej zaščitite svoj račun',
  'setup.factor_text':
    'Kdor upravlja namestitev, se prijavlja s ključem za dostop ali v dveh korakih. Dodajte eno od tega in nato znova odprite povezavo.',
  'setup.add_passkey': 'Dodaj ključ za dostop',
  'setup.add_two_factor': 'Vklopi prijavo v dveh korakih',
  'setup.accept': 'Prevzemi vlogo skrbnika',
  'setup.invalid': 'Povezava ni veljavna',
  'setup.invalid_text':
    'Povezava je potekla ali pa namestitev že ima skrbnika. Dokler ga nima, strežnik ob vsakem zagonu izpiše novo povezavo.',
  'setup.loading': 'Preverjanje povezave',
  'setup.done': 'Postali ste skrbnik te namestitve',
  'setup.done_text': 'Vloga velja takoj.',
  'setup.continue': 'Nadaljuj',
}

import type { operators as english } from '../en-US/operators.ts'

export const operators: Record<keyof typeof english, string> = {
  'problem.second_factor_required': 'Računu najprije dodajte pristupni ključ ili uključite prijavu u dva koraka.',
  'problem.last_operator': 'Instalaciji je potreban administrator. Najprije odredite drugog administratora.',
  'problem.already_operator': 'Ova je osoba već među operaterima.',
  failed: 'Stranica se nije mogla učitati',
  failed_text: 'Provjerite vezu i pokušajte ponovno.',
  'setup.title': 'Postavljanje ove instalacije',
  'setup.text':
    'Postat ćete administrator ove instalacije, s računom {name} ({email}). Administratori određuju tko još njome upravlja.',
  'setup.factor': 'Najprije zaštitite svoj račun',
  'setup.factor_text':
    'Tko upravlja instalacijom, prijavljuje se pristupnim ključem ili u dva koraka. Dodajte jedno od toga, a zatim ponovno otvorite poveznicu.',
  'setup.add_passkey': 'Dodaj pristupni ključ',
  'setup.add_two_factor': 'Uključi prijavu u dva koraka',
  'setup.accept': 'Preuzmi ulogu administratora',
  'setup.invalid': 'Poveznica nije valjana',
  'setup.invalid_text':
    'Poveznica je istekla ili instalacija već ima administratora. Dok ga nema, poslužitelj pri svakom pokretanju ispisuje novu poveznicu.',
  'setup.loading': 'Provjera poveznice',
  'setup.done': 'Postali ste administrator ove instalacije',
  'setup.done_text': 'Uloga vrijedi odmah.',
  'setup.continue': 'Nastavi',
}

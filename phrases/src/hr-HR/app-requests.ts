import type { appRequests as english } from '../en-US/app-requests.ts'

export const appRequests: Record<keyof typeof english, string> = {
  'answered.title': 'Odgovor na zahtjev',
  title: 'Aplikacija {app} traži da potvrdite prijavu',
  message: 'Usporedite ovaj tekst s onim koji je navela aplikacija {app}:',
  warning: 'Dopustite samo ako se upravo prijavljujete u aplikaciju {app}. Ako to niste očekivali, odbijte.',
  time_left: 'Preostalo vrijeme: {time}',
  minutes_left: '{count, plural, one {Istječe za # minutu} few {Istječe za # minute} other {Istječe za # minuta}}',
  'allowed.title': 'Prijava je dopuštena',
  'allowed.text': 'Aplikacija će za nekoliko sekundi automatski nastaviti. Ovu stranicu možete zatvoriti.',
  'denied.title': 'Prijava je odbijena',
  'denied.text':
    'Aplikacija ovim zahtjevom nije dobila ništa. Ako se zahtjevi ponavljaju, možete je ukloniti na stranici Povezane aplikacije.',
  'signed_in.title': 'Prijavljeni ste',
  'signed_in.text': 'Aplikacija bi se trebala otvoriti sama. Ako se ne otvori, vratite se u nju.',
  apps: 'Pogledaj povezane aplikacije',
  'card.title': 'Aplikacije koje čekaju vaš odgovor',
  'card.text': 'Potvrdite samo prijave koje sami započnete.',
}

import type { appRequests as english } from '../en-US/app-requests.ts'

export const appRequests: Record<keyof typeof english, string> = {
  'answered.title': 'Odgovor na zahtevo',
  title: 'Aplikacija {app} prosi, da potrdite prijavo',
  message: 'Primerjajte to besedilo s tistim, ki ga je navedla aplikacija {app}:',
  warning: 'Dovolite samo, če se pravkar prijavljate v aplikacijo {app}. Če tega ne pričakujete, zavrnite.',
  time_left: 'Preostali čas: {time}',
  minutes_left:
    '{count, plural, one {Poteče čez # minuto} two {Poteče čez # minuti} few {Poteče čez # minute} other {Poteče čez # minut}}',
  'allowed.title': 'Prijava je dovoljena',
  'allowed.text': 'Aplikacija bo čez nekaj sekund nadaljevala samodejno. To stran lahko zaprete.',
  'denied.title': 'Prijava je zavrnjena',
  'denied.text':
    'Aplikacija s to zahtevo ni dobila ničesar. Če se zahteve ponavljajo, jo lahko odstranite na strani Povezane aplikacije.',
  'signed_in.title': 'Prijavljeni ste',
  'signed_in.text': 'Aplikacija bi se morala odpreti sama. Če se ne odpre, se vrnite vanjo.',
  apps: 'Poglej povezane aplikacije',
  'card.title': 'Aplikacije, ki čakajo na vaš odgovor',
  'card.text': 'Potrdite samo prijave, ki jih začnete sami.',
}

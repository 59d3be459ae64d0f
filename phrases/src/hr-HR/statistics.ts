import type { statistics as english } from '../en-US/statistics.ts'

export const statistics: Record<keyof typeof english, string> = {
  title: 'Prijave',
  title_all: 'Prijave u sve aplikacije',
  text: 'Po danima, u vremenu UTC.',
  period: 'Razdoblje',
  days: '{days, plural, one {# dan} few {# dana} other {# dana}}',
  day: '{sign_ins, plural, one {# prijava} few {# prijave} other {# prijava}}, {active_users, plural, one {# aktivna osoba} few {# aktivne osobe} other {# aktivnih osoba}}',
  sign_ins: 'Prijave',
  active: 'Aktivne osobe',
  active_most: 'Najviše aktivnih osoba u danu',
  chart:
    'Prijave i aktivne osobe, razdoblje: {days, plural, one {# dan} few {# dana} other {# dana}}; brojke su u tablici',
  empty: 'U tom se razdoblju nitko nije prijavio.',
  as_table: 'Prikaži kao tablicu',
  date: 'Dan',
  failed: 'Statistiku nije bilo moguće učitati',
  failed_text: 'Ništa nije izgubljeno. Pokušajte ponovno za trenutak.',
  loading: 'Učitavanje statistike',
}

import type { statistics as english } from '../en-US/statistics.ts'

export const statistics: Record<keyof typeof english, string> = {
  title: 'Prijave',
  title_all: 'Prijave v vse aplikacije',
  text: 'Po dnevih, v času UTC.',
  period: 'Obdobje',
  days: '{days, plural, one {# dan} two {# dneva} few {# dnevi} other {# dni}}',
  day: '{sign_ins, plural, one {# prijava} two {# prijavi} few {# prijave} other {# prijav}}, {active_users, plural, one {# aktivna oseba} two {# aktivni osebi} few {# aktivne osebe} other {# aktivnih oseb}}',
  sign_ins: 'Prijave',
  active: 'Aktivne osebe',
  active_most: 'Največ aktivnih oseb na dan',
  chart:
    'Prijave in aktivne osebe, obdobje: {days, plural, one {# dan} two {# dneva} few {# dnevi} other {# dni}}; številke so v tabeli',
  empty: 'V tem obdobju se ni prijavil nihče.',
  as_table: 'Pokaži kot tabelo',
  date: 'Dan',
  failed: 'Statistike ni bilo mogoče naložiti',
  failed_text: 'Nič ni izgubljeno. Poskusite znova čez trenutek.',
  loading: 'Nalaganje statistike',
}

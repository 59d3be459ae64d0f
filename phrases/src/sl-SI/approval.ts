import type { approval as english } from '../en-US/approval.ts'

export const approval: Record<keyof typeof english, string> = {
  pending: 'Čaka na odobritev',
  rejected: 'Ni odobrena',
  approved: 'Odobrena',
  'organization.pending.text':
    'Nove organizacije tukaj pregleda upravljavec; prejeli boste e-pošto. Do takrat lahko urejate njene podatke, ne morete pa registrirati aplikacij in vabiti članov.',
  'organization.rejected.text':
    'Upravljavec te organizacije ni odobril. Njene podatke lahko spremenite in znova zaprosite ali pa jo izbrišete.',
  'app.pending.text':
    'Nove aplikacije tukaj pregleda upravljavec; prejeli boste e-pošto. Do takrat lahko vse nastavite, prijava pa še ni mogoča.',
  'app.rejected.text':
    'Upravljavec te aplikacije ni odobril. Lahko jo spremenite in znova zaprosite ali pa jo izbrišete.',
  reason: 'Razlog: {reason}',
  ask: 'Zaprosi znova',
  asked: 'Upravljavci bodo to znova pregledali.',
  decide: 'Odloči',
  'decide.title': 'Odobritev: {name}',
  'decide.text': 'Kdor je zaprosil, bo vašo odločitev prejel po e-pošti.',
  decision: 'Odobritev',
  'decision.approve': 'Odobri',
  'decision.reject': 'Ne odobri',
  given_reason: 'Razlog, če ne odobrite',
  'given_reason.hint': 'Ni obvezno. Napisan bo v e-pošti.',
  asked_at: 'Zaprošeno: {when}',
  waiting: 'Čaka na odobritev',
  'waiting.organizations':
    '{count, plural, one {# organizacija} two {# organizaciji} few {# organizacije} other {# organizacij}}',
  'waiting.apps': '{count, plural, one {# aplikacija} two {# aplikaciji} few {# aplikacije} other {# aplikacij}}',
  'waiting.count':
    '{count, plural, one {# čaka na odobritev} two {# čakata na odobritev} few {# čakajo na odobritev} other {# čaka na odobritev}}',
}

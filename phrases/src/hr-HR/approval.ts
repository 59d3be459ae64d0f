import type { approval as english } from '../en-US/approval.ts'

export const approval: Record<keyof typeof english, string> = {
  pending: 'Čeka odobrenje',
  rejected: 'Nije odobrena',
  approved: 'Odobrena',
  'organization.pending.text':
    'Nove organizacije ovdje pregledava operater; primit ćete e-poštu. Do tada možete uređivati njezine podatke, ali ne možete registrirati aplikacije ni pozivati članove.',
  'organization.rejected.text':
    'Operater nije odobrio ovu organizaciju. Možete joj promijeniti podatke i ponovno zatražiti odobrenje ili je izbrisati.',
  'app.pending.text':
    'Nove aplikacije ovdje pregledava operater; primit ćete e-poštu. Do tada možete sve postaviti, ali prijava još nije moguća.',
  'app.rejected.text':
    'Operater nije odobrio ovu aplikaciju. Možete je promijeniti i ponovno zatražiti odobrenje ili je izbrisati.',
  reason: 'Razlog: {reason}',
  ask: 'Zatraži ponovno',
  asked: 'Operateri će to ponovno pregledati.',
  decide: 'Odluči',
  'decide.title': 'Odobrenje: {name}',
  'decide.text': 'Tko je zatražio odobrenje, primit će vašu odluku e-poštom.',
  decision: 'Odobrenje',
  'decision.approve': 'Odobri',
  'decision.reject': 'Ne odobri',
  given_reason: 'Razlog ako ne odobrite',
  'given_reason.hint': 'Nije obvezno. Bit će napisan u e-pošti.',
  asked_at: 'Zatraženo: {when}',
  waiting: 'Čeka odobrenje',
  'waiting.organizations': '{count, plural, one {# organizacija} few {# organizacije} other {# organizacija}}',
  'waiting.apps': '{count, plural, one {# aplikacija} few {# aplikacije} other {# aplikacija}}',
  'waiting.count': '{count, plural, one {# čeka odobrenje} few {# čekaju odobrenje} other {# čeka odobrenje}}',
}

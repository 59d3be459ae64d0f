import type { ReadDb } from './db/open.ts'
import { exportAccount } from './features/account/public.ts'
import { exportActivity } from './features/activity/public.ts'
import { exportConnections } from './features/connections/public.ts'
import { exportOrganizations } from './features/members/public.ts'
import type { Exporters } from './features/privacy/public.ts'
import { exportSecurity } from './features/security/public.ts'
import { exportSessions } from './features/sessions/public.ts'
import { listAcceptedTerms } from './features/sign-in/public.ts'

/** All rows of a part have the same fields, so that they form one table. */
async function* exportSecurityAndTerms(db: ReadDb, user_id: string): AsyncGenerator<object> {
  yield* exportSecurity(db, user_id)
  for (const { version, accepted_at } of await listAcceptedTerms(db, user_id))
    yield { kind: 'terms', name: version, created_at: accepted_at, last_used_at: null, recovery_codes_left: null }
}

/** Parts of a data archive. */
export const ARCHIVE_PARTS: Exporters = {
  account: exportAccount,
  security: exportSecurityAndTerms,
  sessions: exportSessions,
  activity: exportActivity,
  connections: exportConnections,
  organizations: exportOrganizations,
}

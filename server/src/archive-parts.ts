import type { ReadDb } from './db/open.ts'
import { exportAccount } from './features/account/public.ts'
import { exportActivity } from './features/activity/public.ts'
import { exportEventsAbout } from './features/audit/public.ts'
import { exportConnections } from './features/connections/public.ts'
import { exportOrganizations } from './features/members/public.ts'
import type { Exporters } from './features/privacy/public.ts'
import { exportSecurity } from './features/security/public.ts'
import { exportSessions } from './features/sessions/public.ts'
import { listAcceptedTerms } from './features/sign-in/public.ts'

/**
 * Authentication methods, accepted terms, and what the audit log has about the person. All rows of a part have the same fields, so that
 * they form one table.
 */
async function* exportSecurityWithEvents(db: ReadDb, user_id: string): AsyncGenerator<object> {
  yield* exportSecurity(db, user_id)
  const other = { last_used_at: null, recovery_codes_left: null }
  for (const { version, accepted_at } of await listAcceptedTerms(db, user_id))
    yield { kind: 'terms', name: version, created_at: accepted_at, ...other }
  for await (const { type, at } of exportEventsAbout(db, user_id))
    yield { kind: 'event', name: type, created_at: at, ...other }
}

/** Parts of a data archive. */
export const ARCHIVE_PARTS: Exporters = {
  account: exportAccount,
  security: exportSecurityWithEvents,
  sessions: exportSessions,
  activity: exportActivity,
  connections: exportConnections,
  organizations: exportOrganizations,
}

import { exportAccount } from './features/account/public.ts'
import { exportActivity } from './features/activity/public.ts'
import { exportConnections } from './features/connections/public.ts'
import { exportOrganizations } from './features/members/public.ts'
import type { Exporters } from './features/privacy/public.ts'
import { exportSecurity } from './features/security/public.ts'
import { exportSessions } from './features/sessions/public.ts'

/** Parts of a data archive. */
export const ARCHIVE_PARTS: Exporters = {
  account: exportAccount,
  security: exportSecurity,
  sessions: exportSessions,
  activity: exportActivity,
  connections: exportConnections,
  organizations: exportOrganizations,
}

import * as account from './calls/account.ts'
import * as accountInvitations from './calls/account-invitations.ts'
import * as activity from './calls/activity.ts'
import * as adminClients from './calls/admin-clients.ts'
import * as adminOrganizations from './calls/admin-organizations.ts'
import * as adminUsers from './calls/admin-users.ts'
import * as audit from './calls/audit.ts'
import * as branding from './calls/branding.ts'
import * as clientAccess from './calls/client-access.ts'
import * as clientDiagnostics from './calls/client-diagnostics.ts'
import * as clients from './calls/clients.ts'
import * as configuration from './calls/configuration.ts'
import * as connections from './calls/connections.ts'
import * as developers from './calls/developers.ts'
import * as groups from './calls/groups.ts'
import * as media from './calls/media.ts'
import * as members from './calls/members.ts'
import * as operators from './calls/operators.ts'
import * as policy from './calls/policy.ts'
import * as privacy from './calls/privacy.ts'
import * as quickStart from './calls/quick-start.ts'
import * as scopes from './calls/scopes.ts'
import * as security from './calls/security.ts'
import * as sessions from './calls/sessions.ts'
import * as signIn from './calls/sign-in.ts'
import * as statistics from './calls/statistics.ts'
import * as system from './calls/system.ts'
import * as users from './calls/users.ts'
import { isRoute, type Route } from './http/route.ts'

const nouns = {
  account,
  accountInvitations,
  activity,
  adminClients,
  adminOrganizations,
  adminUsers,
  audit,
  branding,
  clients,
  clientAccess,
  clientDiagnostics,
  configuration,
  connections,
  developers,
  groups,
  media,
  members,
  operators,
  policy,
  privacy,
  quickStart,
  scopes,
  security,
  sessions,
  signIn,
  statistics,
  system,
  users,
}

/** Every call of the API, by `noun.name`, in the order in which the files state them. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.entries(nouns).flatMap(([noun, exports]) =>
    Object.entries(exports).flatMap(([name, value]): [string, Route][] =>
      isRoute(value) ? [[`${noun}.${name}`, value]] : [],
    ),
  ),
)

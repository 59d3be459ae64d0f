import { routes as adminClients } from './features/admin-clients/routes.ts'
import { routes as adminOrganizations } from './features/admin-organizations/routes.ts'
import { routes as adminUsers } from './features/admin-users/routes.ts'
import { routes as audit } from './features/audit/routes.ts'
import { routes as branding } from './features/branding/routes.ts'
import { routes as configuration } from './features/configuration/routes.ts'
import { routes as groups } from './features/groups/routes.ts'
import { routes as operators } from './features/operators/routes.ts'
import { routes as policy } from './features/policy/routes.ts'
import { routes as system } from './features/system/routes.ts'
import type { RouteHandler } from './http/serve.ts'

/** Calls of operators, who run the installation. */
export const OPERATOR_CALLS: RouteHandler[] = [
  ...audit,
  ...operators,
  ...groups,
  ...branding,
  ...policy,
  ...configuration,
  ...adminClients,
  ...adminOrganizations,
  ...adminUsers,
  ...system,
]

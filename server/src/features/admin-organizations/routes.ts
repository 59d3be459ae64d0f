import { adminOrganizations } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { transferOrganization, updateAdminOrganization } from './change-organization.ts'
import { getAdminOrganization, listAdminOrganizations } from './list-organizations.ts'

/** Organizations of the installation, for its operators (operators §2). */
export const routes: RouteHandler[] = [
  serve(adminOrganizations.listAdminOrganizations, listAdminOrganizations),
  serve(adminOrganizations.getAdminOrganization, getAdminOrganization),
  serve(adminOrganizations.updateAdminOrganization, updateAdminOrganization),
  serve(adminOrganizations.transferOrganization, transferOrganization),
]

import { adminClients } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { updateAdminClient } from './change-client.ts'
import { getAdminClient, listAdminClients } from './list-clients.ts'

/** Apps of the installation, for its operators (operators §2). */
export const routes: RouteHandler[] = [
  serve(adminClients.listAdminClients, listAdminClients),
  serve(adminClients.getAdminClient, getAdminClient),
  serve(adminClients.updateAdminClient, updateAdminClient),
]

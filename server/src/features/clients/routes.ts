/**
 * Clients ("apps" on pages) of a developer account. Owns the tables `clients`, `redirect_uris`, `origins` and
 * `client_scopes`.
 *
 * /client                           list, create
 * /client/:id[/info]                read, update, delete
 * /client/:id/approval              asks operators again to approve it
 * /client/:id/icon                  its picture
 * /client/:id/advanced              protocol settings
 * /client/:id/redirect-uris         registered redirect URIs
 * /client/:id/origins               origins that may call the token endpoint and receive popup messages
 * /client/:id/secret/regenerate     a new client secret, shown once
 */
import { clients } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { addOrigin, listClientOrigins, removeOrigin } from './addresses/origins.ts'
import { addRedirectUri, listClientRedirectUris, removeRedirectUri } from './addresses/redirect-uris.ts'
import { withSectorDocument } from './addresses/sector.ts'
import { getAdvanced, updateAdvanced } from './advanced/advanced.ts'
import { createClient } from './create.ts'
import { removeIcon, setIcon } from './icon.ts'
import { deleteClient, getClientInfo, requestClientApproval, updateClientInfo } from './info.ts'
import { listOwnClients } from './list.ts'
import { regenerateSecret } from './secret.ts'

export const routes: RouteHandler[] = [
  serve(clients.createClient, createClient),
  serve(clients.listClients, listOwnClients),
  serve(clients.getClient, getClientInfo),
  serve(clients.getClientInfo, getClientInfo),
  serve(clients.updateClientInfo, updateClientInfo),
  serve(clients.requestClientApproval, requestClientApproval),
  serve(clients.deleteClient, deleteClient),
  serveOpen(clients.setIcon, setIcon),
  serve(clients.removeIcon, removeIcon),
  serve(clients.getAdvanced, getAdvanced),
  serveOpen(clients.updateAdvanced, (open, actor, input) =>
    withSectorDocument(open, (deps, document) => updateAdvanced(deps, actor, input, { document })),
  ),
  serve(clients.listRedirectUris, listClientRedirectUris),
  serveOpen(clients.addRedirectUri, (open, actor, input) =>
    withSectorDocument(open, (deps, document) => addRedirectUri(deps, actor, input, document)),
  ),
  serve(clients.removeRedirectUri, removeRedirectUri),
  serve(clients.listOrigins, listClientOrigins),
  serve(clients.addOrigin, addOrigin),
  serve(clients.removeOrigin, removeOrigin),
  serve(clients.regenerateSecret, regenerateSecret),
]

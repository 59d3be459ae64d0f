/**
 * Apps of an organisation: who they are, where people may be sent back to, and how they prove themselves. Owns the
 * tables `clients`, `redirect_uris`, `origins`, `client_scopes`, `client_days`, `developer_days` and `refusals`;
 * scopes themselves are the slice `scopes`'.
 *
 * /client                           list, create
 * /client/:id[/info]                read, edit, delete
 * /client/:id/icon                  its picture
 * /client/:id/advanced              switches that the engine obeys
 * /client/:id/redirect-uris         where an answer may be sent
 * /client/:id/origins               which pages may call the token endpoint and receive a popup's message
 * /client/:id/secret/regenerate     a new secret, shown once
 * /client/:id/quick-start           programs that sign somebody in, ready to run
 * /client/:id/refusals              why its requests were refused lately
 * /client/:id/statistics            sign-ins and active users by day; of all apps at /developer/statistics
 * /client/:id/scopes                what it defines; with a key, whom a removal would hit, and the removal
 * /client/:id/asked-scopes          what it asks for, as people read it
 * /client/explore                   everybody's scopes as a tree, and everybody's apps by name
 */
import { clients, quickStart, refusals, scopes, statistics } from '@vrata/contract'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { advancedSettings, updateAdvanced } from './advanced.ts'
import { askedScopes } from './asked-scopes.ts'
import { createClient } from './create.ts'
import { exploreChildren, exploreScopes } from './explore.ts'
import { exploreClients } from './explore-clients.ts'
import { removeIcon, setIcon } from './icon.ts'
import { clientInfo, deleteClient, updateClientInfo } from './info.ts'
import { listOwnClients } from './list.ts'
import { addOrigin, originsOf, removeOrigin } from './origins.ts'
import { quickStartsOf } from './quick-start.ts'
import { addRedirectUri, redirectUrisOf, removeRedirectUri } from './redirect-uris.ts'
import { forgetRefusals, refusalsOf } from './refusals.ts'
import { defineScope, removeScope, scopesOf, scopeUse } from './scopes.ts'
import { regenerateSecret } from './secret.ts'
import { clientStatistics, developerStatistics } from './statistics.ts'

export const routes: Served[] = [
  serve(clients.createClient, createClient),
  serve(clients.listClients, listOwnClients),
  serve(clients.getClient, clientInfo),
  serve(clients.getClientInfo, clientInfo),
  serve(clients.updateClientInfo, updateClientInfo),
  serve(clients.deleteClient, deleteClient),
  serveOpen(clients.setIcon, setIcon),
  serve(clients.removeIcon, removeIcon),
  serve(clients.getAdvanced, advancedSettings),
  serve(clients.updateAdvanced, updateAdvanced),
  serve(clients.listRedirectUris, redirectUrisOf),
  serve(clients.addRedirectUri, addRedirectUri),
  serve(clients.removeRedirectUri, removeRedirectUri),
  serve(clients.listOrigins, originsOf),
  serve(clients.addOrigin, addOrigin),
  serve(clients.removeOrigin, removeOrigin),
  serve(clients.regenerateSecret, regenerateSecret),
  serve(quickStart.listQuickStarts, quickStartsOf),
  serve(refusals.listRefusals, refusalsOf),
  serve(refusals.forgetRefusals, forgetRefusals),
  serve(statistics.clientStatistics, clientStatistics),
  serve(statistics.developerStatistics, developerStatistics),
  serve(scopes.listScopes, scopesOf),
  serve(scopes.putScope, defineScope),
  serve(scopes.getScopeUse, scopeUse),
  serve(scopes.removeScope, removeScope),
  serve(scopes.listAskedScopes, askedScopes),
  serve(scopes.exploreChildren, exploreChildren),
  serve(scopes.exploreScopes, exploreScopes),
  serve(scopes.exploreClients, exploreClients),
]

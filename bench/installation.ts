import { clients, connections, developers, scopes, security, signIn } from '@vrata/contract'
import { apiClient, dataOf } from '../testing/api-client.ts'
import { mailedLink, tokenIn } from '../testing/mail.ts'
import { Browser } from './browser.ts'
import { REDIRECT_URI, REFERENCE, SCOPES, SERVICE_SCOPE } from './reference-data.ts'
import type { VrataTarget } from './targets.ts'

export interface App {
  client_id: string
  client_secret: string
}

/** The data that a workload needs: a signed-in user, a client that they allowed, and a client of a service. */
export interface Installation {
  url: string
  browser: Browser
  app: App
  service: App
}

export const USER = {
  email: 'ana.kovac@example.com',
  password: 'vrata-so-odprta-7',
  first_name: 'Ana',
  last_name: 'Kovač',
}

/** The reference provider starts with this data. */
export function referenceInstallation(url: string): Installation {
  return {
    url,
    browser: new Browser(url, new Map([['_session', REFERENCE.session]])),
    app: REFERENCE,
    service: REFERENCE,
  }
}

/** Creates the data through the API, as the pages would. */
export async function seedInstallation({
  url,
  outbox,
}: Pick<VrataTarget, 'url' | 'outbox'>): Promise<Installation & { developer_id: string }> {
  const cookies = new Map<string, string>()
  const call = apiClient({ url, cookies })
  dataOf(await call(signIn.register, USER))
  dataOf(await call(security.verifyEmail, { token: tokenIn(await mailedLink(outbox, USER.email, '/confirm-email/')) }))
  const { developer_id } = dataOf(await call(developers.createDeveloper, { name: 'Kraški studio' }))
  const app = dataOf(await call(clients.createClient, { name: 'Jadrolet', type: 'web', redirect_uri: REDIRECT_URI }))
  dataOf(await call(connections.submitConsent, { client: app.client_id, scopes: SCOPES }))
  // The goals are for ES256 (performance §2).
  dataOf(await call(clients.updateAdvanced, { id: app.client_id, id_token_signed_response_alg: 'ES256' }))
  const notes = dataOf(await call(clients.createClient, { name: 'Notes', type: 'web', redirect_uri: REDIRECT_URI }))
  dataOf(await call(scopes.defineScope, { id: notes.client_id, key: SERVICE_SCOPE, title: { 'en-US': 'Read notes' } }))
  dataOf(
    await call(clients.updateAdvanced, {
      id: notes.client_id,
      access_token_format: 'jwt',
      id_token_signed_response_alg: 'ES256',
    }),
  )
  const service = dataOf(await call(clients.createClient, { name: 'Robot', type: 'service' }))
  dataOf(await call(clients.updateClientInfo, { id: service.client_id, scopes: [SERVICE_SCOPE] }))
  return { url, developer_id, browser: new Browser(url, cookies), app: appOf(app), service: appOf(service) }
}

function appOf({ client_id, client_secret }: { client_id: string; client_secret?: string | null | undefined }): App {
  return { client_id, client_secret: client_secret ?? '' }
}

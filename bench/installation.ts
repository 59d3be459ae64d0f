import { type Api, clients, connections, developers, scopes, security, signIn } from '@vrata/contract'
import { dataOf } from '../testing/api-client.ts'
import { mailedLink, tokenIn } from '../testing/mail.ts'
import { apiOf, Browser } from './browser.ts'
import { REDIRECT_URI, REFERENCE, RSA_SERVICE_SCOPE, SCOPES, SERVICE_SCOPE } from './reference/reference-data.ts'
import type { VrataTarget } from './targets.ts'

export interface App {
  client_id: string
  client_secret: string
}

/** A person with a session. */
export interface Person {
  email: string
  browser: Browser
}

/** The data that a workload needs: signed-in people, a client that they allowed, and a client of a service. */
export interface Installation {
  url: string
  /** Browser of the first person, who owns the apps. */
  browser: Browser
  people: readonly Person[]
  app: App
  /** Scopes that the app requests and the user has allowed. */
  scopes: readonly string[]
  service: App
  /** The scope of the service, of an API whose access tokens are JWTs. */
  service_scope: string
  /** The same with apps that sign with RS256; the others sign with ES256. */
  rsa?: Installation
}

export const USER = {
  email: 'ana.kovac@example.com',
  password: 'vrata-so-odprta-7',
  first_name: 'Ana',
  last_name: 'Kovač',
}

/**
 * People of a measured installation. With one person, all connections wait for each other, because PostgreSQL locks the rows of a
 * person's sign-ins and tokens while one request changes them.
 */
export const PEOPLE = Number(process.env.PEOPLE ?? 64)

/** The reference provider starts with this data. */
export function referenceInstallation(url: string): Installation {
  const browser = new Browser(url, new Map([['_session', REFERENCE.session]]))
  return {
    url,
    browser,
    people: [{ email: '', browser }],
    app: REFERENCE,
    scopes: SCOPES,
    service: REFERENCE,
    service_scope: SERVICE_SCOPE,
  }
}

type Server = Pick<VrataTarget, 'url' | 'outbox'>

/** Creates the data through the API, as the pages would, with so many people. */
export async function seedInstallation(
  server: Server,
  { people: count = 1 } = {},
): Promise<Installation & { developer_id: string }> {
  const { url } = server
  const owner = await registered(server, USER.email)
  const people = [owner]
  for (let n = 1; n < count; n += 1) people.push(await registered(server, `person${n}@example.com`))
  const call = apiOf(owner.browser)
  const { developer_id } = dataOf(await call(developers.createDeveloper, { name: 'Kraški studio' }))
  const made = async (alg: Algorithm, service_scope: string): Promise<Installation> => {
    const named = (name: string) => ({ name: `${name} ${alg}`, type: 'web', redirect_uri: REDIRECT_URI }) as const
    const id_token_signed_response_alg = alg
    const app = dataOf(await call(clients.createClient, named('Jadrolet')))
    for (const { browser } of people) {
      const call = apiOf(browser)
      dataOf(await call(connections.submitConsent, { client: app.client_id, scopes: SCOPES }))
    }
    dataOf(await call(clients.updateAdvanced, { id: app.client_id, id_token_signed_response_alg }))
    const service = await createService(call, alg, service_scope)
    return { url, browser: owner.browser, people, app: appOf(app), scopes: SCOPES, service, service_scope }
  }
  // The goals are for ES256 (performance §2).
  const ecdsa = await made('ES256', SERVICE_SCOPE)
  return { ...ecdsa, developer_id, rsa: await made('RS256', RSA_SERVICE_SCOPE) }
}

async function registered({ url, outbox }: Server, email: string): Promise<Person> {
  const browser = new Browser(url)
  const call = apiOf(browser)
  dataOf(await call(signIn.register, { ...USER, email }))
  dataOf(await call(security.verifyEmail, { token: tokenIn(await mailedLink(outbox, email, '/confirm-email/')) }))
  return { email, browser }
}

type Algorithm = 'ES256' | 'RS256'

/** A service, and an API with a scope that it may use, whose access tokens are JWTs. */
export async function createService(call: Api, alg: Algorithm, scope: string): Promise<App> {
  const named = { name: `Notes ${alg}`, type: 'web', redirect_uri: REDIRECT_URI } as const
  const api = dataOf(await call(clients.createClient, named))
  dataOf(await call(scopes.defineScope, { id: api.client_id, key: scope, title: { 'en-US': 'Read' } }))
  const jwt = { access_token_format: 'jwt', id_token_signed_response_alg: alg } as const
  dataOf(await call(clients.updateAdvanced, { id: api.client_id, ...jwt }))
  const service = dataOf(await call(clients.createClient, { name: `Robot ${alg}`, type: 'service' }))
  dataOf(await call(clients.updateClientInfo, { id: service.client_id, scopes: [scope] }))
  return appOf(service)
}

function appOf({ client_id, client_secret }: { client_id: string; client_secret?: string | null | undefined }): App {
  return { client_id, client_secret: client_secret ?? '' }
}

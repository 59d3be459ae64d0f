import { account, auth, clients, connections, createApi, developers, scopes } from '@vrata/contract'
import { BARE, REDIRECT_URI, SCOPES, SERVICE_SCOPE } from './bare.ts'
import { Browser } from './browser.ts'

export interface App {
  client_id: string
  client_secret: string
}

/** Where a load lives: somebody signed in, an app that they allow, and a service. */
export interface House {
  url: string
  browser: Browser
  app: App
  service: App
}

export const PERSON = {
  email: 'ana.kovac@example.com',
  password: 'vrata-so-odprta-7',
  first_name: 'Ana',
  last_name: 'Kovač',
}

/** The bare engine is born with all of it. */
export function bareHouse(url: string): House {
  return { url, browser: new Browser(url, { _session: BARE.session }), app: BARE, service: BARE }
}

/** Ana, her organisation, an app and what she allowed it, a service and whom it calls: made by the calls that the pages make. */
export async function furnish(url: string): Promise<House> {
  const browser = new Browser(url)
  const call = createApi(async ({ method, url, body }) => {
    const json = body === undefined ? undefined : JSON.stringify(body)
    const answer = await browser.request(method, url, json ? { body: json, type: 'application/json' } : {})
    return { status: answer.status, json: JSON.parse(answer.body) }
  })
  must(await call(auth.register, PERSON))
  must(await call(account.verifyEmail, { token: await mailedToken(url) }))
  must(await call(developers.createDeveloper, { name: 'Kraški studio' }))
  const app = must(await call(clients.createClient, { name: 'Jadrolet', type: 'web', redirect_uri: REDIRECT_URI }))
  must(await call(connections.putConsent, { client: app.client_id, scopes: SCOPES }))
  const notes = must(await call(clients.createClient, { name: 'Notes', type: 'web', redirect_uri: REDIRECT_URI }))
  must(await call(scopes.putScope, { id: notes.client_id, key: SERVICE_SCOPE, title: { 'en-US': 'Read notes' } }))
  must(await call(clients.updateAdvanced, { id: notes.client_id, access_token_format: 'jwt' }))
  const service = must(await call(clients.createClient, { name: 'Robot', type: 'service' }))
  must(await call(clients.updateClientInfo, { id: service.client_id, scopes: [SERVICE_SCOPE] }))
  return { url, browser, app: appOf(app), service: appOf(service) }
}

function appOf({ client_id, client_secret }: { client_id: string; client_secret?: string | null | undefined }): App {
  return { client_id, client_secret: client_secret ?? '' }
}

/** From the mailbox page, as a newcomer would. */
async function mailedToken(url: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const token = /confirm-email\/([\w-]+)/.exec(await (await fetch(`${url}/mailbox`)).text())?.[1]
    if (token) return token
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('No mail came')
}

function must<T>(answer: { ok: true; data: T } | { ok: false; problem: { code: string } }): T {
  if (!answer.ok) throw new Error(`The house could not be furnished: ${answer.problem.code}`)
  return answer.data
}

import { type clients, scopes } from '@vrata/contract'
import type { Updateable } from 'kysely'
import type { ClientsTable } from '../../src/db/schema.ts'
import { createOrganization } from '../organization.ts'
import { people } from '../people.ts'
import { good } from '../second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../test-server.ts'
import { allow, type ThirdParty } from '../third-party.ts'
import { AllRows, type Rows } from './rows.ts'

export type App = ThirdParty & { redirect_uri: string }
export type AppName = keyof typeof APPS | 'public' | 'service' | 'jwt service' | 'stranger' | 'api'

const SCOPES = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access']

/** Settings of the apps that sign users in; `plain` has those of a new app. */
const APPS = {
  plain: {},
  ES256: { id_token_signed_response_alg: 'ES256' },
  EdDSA: { id_token_signed_response_alg: 'EdDSA', access_token_ttl: 1200, refresh_token_ttl: 7200 },
  minimal: { id_token_claims: 'minimal' },
  pairwise: { sector_identifier: 'sector.example' },
  logout: { backchannel_logout_uri: 'https://app.example/logout' },
} satisfies Record<string, Updateable<ClientsTable>>

/**
 * Two nodes over one database that differ in one setting: one answers plain requests natively, the other passes all to
 * oidc-provider. The rows are restored after each request, so that both answer it from the same rows.
 */
export interface TwoNodes {
  native: TestServer
  engine: TestServer
  rows: AllRows
  /** All rows before the first request. */
  start: Rows
  /** Ana in a browser of each node, with the same cookies. */
  ana: { native: SignedIn; engine: SignedIn }
  apps: Record<AppName, App>
  /** Empties the caches of both nodes, after rows were written directly. */
  forget(): Promise<void>
  set(app: App, columns: Updateable<ClientsTable>): Promise<void>
  close(): Promise<void>
}

export async function startTwoNodes(): Promise<TwoNodes> {
  const native = await startTestServer({ VRATA_LIMITS_FACTOR: '1000', VRATA_NATIVE_TOKENS: 'on' })
  const { db } = native.store
  const set = async ({ client_id }: App, columns: Updateable<ClientsTable>) => {
    await db.updateTable('clients').set(columns).where('client_id', '=', client_id).execute()
  }
  const ana = await native.as(people.ana)
  const organization = await createOrganization(native, ana)
  const drago = await native.as(people.drago)
  const strangers = await createOrganization(native, drago, 'Strangers')
  const uri = (name: string) => `https://${name.toLowerCase().replaceAll(' ', '-')}.example/callback`

  const made = async (name: string, owner = organization, input: { type?: clients.ClientType } = {}): Promise<App> => {
    const redirect_uri = uri(name)
    return { ...(await owner.app({ name, redirect_uri, ...input })), redirect_uri }
  }
  const api = await made('API')
  for (const key of ['notes.read', 'notes.write']) {
    good(await ana.call(scopes.defineScope, { id: api.client_id, key, title: { 'en-US': key } }))
  }
  const jwtApi = await made('JWT API')
  for (const key of ['books.read', 'books.write']) {
    good(await ana.call(scopes.defineScope, { id: jwtApi.client_id, key, title: { 'en-US': key } }))
  }
  await set(jwtApi, { access_token_format: 'jwt', id_token_signed_response_alg: 'ES256' })
  const foreign = await made('Foreign API', strangers)
  good(await drago.call(scopes.defineScope, { id: foreign.client_id, key: 'other.read', title: { 'en-US': 'Other' } }))

  const signingIn = {} as Record<keyof typeof APPS, App>
  for (const [name, settings] of Object.entries(APPS)) {
    const app = await made(name)
    await set(app, { scopes: JSON.stringify([...SCOPES, 'notes.read', 'books.read']), ...settings })
    signingIn[name as keyof typeof APPS] = app
  }
  const open = await made('public')
  await set(open, { require_client_secret: 0, scopes: JSON.stringify(SCOPES) })
  const service = await made('service', organization, { type: 'service' })
  const jwtService = await made('jwt service', organization, { type: 'service' })
  const requested = JSON.stringify(['notes.read', 'notes.write', 'books.read', 'books.write', 'other.read', 'openid'])
  for (const one of [service, jwtService]) await set(one, { scopes: requested })
  const stranger = await made('stranger', strangers)
  await set(stranger, { scopes: JSON.stringify(SCOPES) })

  const apps: Record<AppName, App> = {
    ...signingIn,
    public: { ...open, client_secret: null },
    service,
    'jwt service': jwtService,
    stranger,
    api,
  }
  for (const app of [...Object.values(signingIn), apps.public, stranger]) await allow(ana, app, 'openid profile email')
  const engine = await native.secondNode({ VRATA_NATIVE_TOKENS: 'off' })
  const nodes = [native, engine]
  const other = { ...engine.browser(), user: ana.user }
  const cookies = [...ana.cookies]
  const all = [...Object.values(apps), jwtApi, foreign]
  const { now } = performance
  let ahead = 0
  const forget = async () => {
    // The log of rejected requests writes a limited number a minute.
    ahead += 2 * 60_000
    performance.now = () => now.call(performance) + ahead
    for (const browser of [ana, other]) {
      browser.cookies.clear()
      for (const [name, value] of cookies) browser.cookies.set(name, value)
    }
    await Promise.all(
      nodes.flatMap(({ store }) => all.map(({ client_id }) => store.signals.announce('client', client_id))),
    )
  }
  await forget()
  const rows = await AllRows.open(native.store)
  return {
    native,
    engine,
    rows,
    start: await rows.read(),
    ana: { native: ana, engine: other },
    apps,
    forget,
    set,
    async close() {
      await engine.close()
      await native.close()
      performance.now = now
    },
  }
}

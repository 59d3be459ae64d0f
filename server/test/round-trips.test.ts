import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { account, clients, scopes, signIn } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { registerConfirmedUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import { freshDatabase, type TestDatabase, testEngine } from './template-db.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import { allow, codeFor, credentials, post, refresh, signInTo, type ThirdParty, userinfo } from './third-party.ts'

/** The frontend/backend protocol of PostgreSQL: the end of `ReadyForQuery`, after which the server waits for the client. */
const READY = /Z\0\0\0\x05[ITE]$/

/** Stands between the server and PostgreSQL, and counts how often one waits for the other. */
class CountingProxy {
  /** Messages to PostgreSQL while no answer was awaited on any connection. */
  trips = 0
  readonly #awaited = new Set<object>()
  readonly #server = createServer((near) => {
    const far = connect(this.#port, this.#host)
    near.on('data', (data) => {
      if (this.#awaited.size === 0) this.trips += 1
      this.#awaited.add(near)
      far.write(data)
    })
    far.on('data', (data) => {
      if (READY.test(data.toString('latin1'))) this.#awaited.delete(near)
      near.write(data)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#awaited.delete(near)
        other.destroy()
      })
    }
  })
  readonly #host: string
  readonly #port: number

  constructor(url: URL) {
    this.#host = url.hostname
    this.#port = Number(url.port)
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
  }
}

let database: TestDatabase
let proxy: CountingProxy
let server: TestServer
let ana: SignedIn
let app: ThirdParty
let service: ThirdParty
const onPostgres = testEngine === 'postgres'

beforeAll(async () => {
  if (!onPostgres) return
  database = await freshDatabase()
  const url = new URL(database.url ?? '')
  proxy = new CountingProxy(url)
  url.host = `127.0.0.1:${await proxy.listen()}`
  server = await startTestServer({ VRATA_DATABASE_URL: url.href, VRATA_LIMITS_FACTOR: '1000' })
  ana = await server.as(people.ana)
  const organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
  const api = await organization.app({ name: 'API' })
  good(await ana.call(scopes.defineScope, { id: api.client_id, key: 'books.read', title: { 'en-US': 'Books' } }))
  good(await ana.call(clients.updateAdvanced, { id: api.client_id, access_token_format: 'jwt' }))
  service = await organization.app({ name: 'Robot', type: 'service' })
  good(await ana.call(clients.updateClientInfo, { id: service.client_id, scopes: ['books.read'] }))
})
afterAll(async () => {
  if (!onPostgres) return
  await server.close()
  proxy.close()
  await database.remove()
})

/** The fewest round trips of some repetitions: the first ones fill caches, and others meet jobs in the background. */
async function tripsOf(prepared: () => Promise<() => Promise<unknown>>): Promise<number> {
  const counts = []
  for (let i = 0; i < 8; i += 1) {
    const operation = await prepared()
    proxy.trips = 0
    await operation()
    counts.push(proxy.trips)
  }
  return Math.min(...counts)
}

async function accepted(answer: Promise<{ statusCode: number; body: string }>): Promise<void> {
  const { statusCode, body } = await answer
  if (statusCode !== 200) throw new Error(body)
}

const grant_type = 'client_credentials'

/**
 * Operations of performance §2, which wants one for a refresh, two for an authorization request with its code exchange, two for a
 * sign-in and one for the account.
 */
test.runIf(onPostgres).each<[string, number, () => Promise<() => Promise<unknown>>]>([
  ['client credentials', 1, async () => () => accepted(post(server, service, '/token', { grant_type }))],
  [
    'client credentials with a JWT',
    0,
    async () => () => accepted(post(server, service, '/token', { grant_type, scope: 'books.read' })),
  ],
  [
    'a refresh',
    2,
    async () => {
      const { refresh_token } = await signInTo(server, ana, app)
      return () => accepted(refresh(server, app, refresh_token))
    },
  ],
  ['an authorization request', 3, async () => () => codeFor(ana, app)],
  [
    'a code exchange',
    2,
    async () => {
      const { form } = await codeFor(ana, app)
      return () => accepted(post(server, app, '/token', form))
    },
  ],
  [
    'userinfo',
    1,
    async () => {
      const { access_token } = await signInTo(server, ana, app)
      return () => accepted(userinfo(server, access_token))
    },
  ],
  [
    'introspection',
    1,
    async () => {
      const { access_token: token } = await signInTo(server, ana, app)
      return () => accepted(post(server, app, '/introspect', { token }, credentials(app)))
    },
  ],
  [
    'a sign-in',
    4,
    async () => {
      const { email: username, password } = await registerConfirmedUser(server)
      const browser = server.browser()
      return async () => good(await browser.call(signIn.login, { username, password }))
    },
  ],
  ['the account', 2, async () => async () => good(await ana.call(account.getAccount))],
])('round trips to PostgreSQL for %s: %i', async (_, trips, operation) => {
  expect(await tripsOf(operation)).toBe(trips)
})

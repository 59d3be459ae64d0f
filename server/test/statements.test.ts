import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clients, scopes, sessions } from '@vrata/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngine } from './databases/template-db.ts'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { registerConfirmedUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import { allow, authorizeUrl, codeFor, credentials, signInTo, type ThirdParty } from './third-party.ts'

type Span = { traceId: string; name: string }
type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

const spans: Span[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { resourceSpans }: Sent = JSON.parse(Buffer.concat(chunks).toString())
  spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})

const REPEATS = 4
const onPostgres = testEngine === 'postgres'
let server: TestServer
let ana: SignedIn
let app: ThirdParty
let service: ThirdParty

type Send = (options: InjectOptions) => Promise<{ statusCode: number; body: string }>
type Operation = () => Promise<{ from?: Send; request: InjectOptions }>

const form = (url: string, from: ThirdParty, values: Record<string, string>): InjectOptions => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...credentials(from) },
  payload: new URLSearchParams(values).toString(),
})
const grant_type = 'client_credentials'

/**
 * The operations of performance §2 with their statements; those of one round trip are sent together. Refreshes, authorization requests and code
 * exchanges are of one server, which remembers the rows of the request before (decision 0097).
 */
const OPERATIONS: [name: string, round_trips: string[][], Operation][] = [
  ['client credentials', [['with clients']], async () => ({ request: form('/token', service, { grant_type }) })],
  [
    'client credentials with a JWT',
    [],
    async () => ({ request: form('/token', service, { grant_type, scope: 'books.read' }) }),
  ],
  [
    'a refresh',
    [['with sessions']],
    async () => {
      const { refresh_token } = await signInTo(server, ana, app)
      return { request: form('/token', app, { grant_type: 'refresh_token', refresh_token }) }
    },
  ],
  [
    'a refresh that writes the last use of its connection and secret',
    [['with sessions']],
    async () => {
      const { refresh_token } = await signInTo(server, ana, app)
      server.clock.advance(61)
      return { request: form('/token', app, { grant_type: 'refresh_token', refresh_token }) }
    },
  ],
  [
    'an authorization request',
    [['with sessions']],
    async () => ({ from: ana.request, request: { url: authorizeUrl(app) } }),
  ],
  [
    'a code exchange',
    [['with sessions']],
    async () => ({ request: form('/token', app, (await codeFor(ana, app)).form) }),
  ],
  [
    'userinfo',
    [['select tokens']],
    async () => {
      const { access_token } = await signInTo(server, ana, app)
      return { request: { url: '/userinfo', headers: { authorization: `Bearer ${access_token}` } } }
    },
  ],
  [
    'introspection',
    [['select tokens']],
    async () => {
      const { access_token } = await signInTo(server, ana, app)
      return { request: form('/introspect', app, { token: access_token }) }
    },
  ],
  [
    'a sign-in',
    [['select users', 'select throttles'], ['with users']],
    async () => {
      const { email: username, password } = await registerConfirmedUser(server)
      const request = { method: 'POST', url: '/v1/auth/login', payload: { username, password } } as const
      return { from: server.browser().request, request }
    },
  ],
  [
    'a sign-in from a known browser',
    [['select users', 'select throttles'], ['with users']],
    async () => {
      const { email: username, password, request: from, call } = await registerConfirmedUser(server)
      await call(sessions.logout)
      return { from, request: { method: 'POST', url: '/v1/auth/login', payload: { username, password } } }
    },
  ],
  ['the account', [['select users']], async () => ({ from: ana.request, request: { url: '/v1/account' } })],
]

const traceId = (operation: number, repeat: number) => String(1 + operation * REPEATS + repeat).padStart(32, '0')

beforeAll(async () => {
  if (!onPostgres) return
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  server = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  ana = await server.as(people.ana)
  const organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
  const api = await organization.app({ name: 'API' })
  good(await ana.call(scopes.defineScope, { id: api.client_id, key: 'books.read', title: { 'en-US': 'Books' } }))
  good(await ana.call(clients.updateAdvanced, { id: api.client_id, access_token_format: 'jwt' }))
  service = await organization.app({ name: 'Robot', type: 'service' })
  good(await ana.call(clients.updateClientInfo, { id: service.client_id, scopes: ['books.read'] }))
  for (const [index, [name, , operation]] of OPERATIONS.entries()) {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const { from = (options) => server.app.inject(options), request } = await operation()
      const traceparent = `00-${traceId(index, repeat)}-b7ad6b7169203331-01`
      const answer = await from({ ...request, headers: { ...request.headers, traceparent } })
      if (answer.statusCode >= 400) throw new Error(`${name}: ${answer.body}`)
    }
  }
  await server.close()
  receiver.close()
})
afterAll(() => receiver.closeAllConnections())

const REQUEST = /^(GET|POST) /
/** Work after a commit delays no answer. */
const AFTERWARDS = 'with signals'

test.runIf(onPostgres).each(OPERATIONS)('statements on PostgreSQL for %s', (name, round_trips) => {
  const index = OPERATIONS.findIndex((operation) => operation[0] === name)
  const repeats = Array.from({ length: REPEATS }, (_, repeat) =>
    spans.filter((span) => span.traceId === traceId(index, repeat)).map((span) => span.name),
  )
  for (const all of repeats) expect(all.filter((one) => REQUEST.test(one))).toHaveLength(1)
  // The others fill caches, which some of them found too old.
  const [fewest = []] = repeats.sort((a, b) => a.length - b.length)
  const statements = fewest.filter((one) => !REQUEST.test(one) && one !== AFTERWARDS)
  expect(statements.sort()).toEqual(round_trips.flat().sort())
})

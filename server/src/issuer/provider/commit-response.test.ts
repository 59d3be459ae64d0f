import { clients, problem, scopes } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorizeUrl, codeFor, credentials, post, type ThirdParty } from '../../../test/third-party.ts'
import { makeHandle } from '../../db/compiled-queries/handle.ts'

/** A response is sent after its writes are committed (protocol §4.7). */
let server: TestServer
let ana: SignedIn
let organization: Organization
let app: ThirdParty

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server.close())

async function whileWritesFail<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  const { transaction, together } = server.deps
  server.deps.transaction = () => Promise.reject(error)
  server.deps.together = () => Promise.reject(error)
  try {
    return await work()
  } finally {
    Object.assign(server.deps, { transaction, together })
  }
}

test('answers 503 while the database is unavailable and consumes nothing', async () => {
  const away = problem('unavailable', { retry_after: 2 })
  const { form } = await codeFor(ana, app)
  const [token, authorization] = await whileWritesFail(away, async () => [
    await post(server, app, '/token', form),
    await ana.request({ url: authorizeUrl(app) }),
  ])
  for (const answer of [token, authorization]) {
    expect(answer?.statusCode).toBe(503)
    expect(answer?.headers['retry-after']).toBe('2')
    expect(answer?.headers.location).toBeUndefined()
    expect(answer?.headers['cache-control']).toBe('no-store')
  }
  expect(token?.json()).toMatchObject({ error: 'temporarily_unavailable' })
  // For the user in front of the browser.
  expect(authorization?.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(authorization?.body).toContain('Storitev trenutno ni na voljo.')
  expect((await post(server, app, '/token', form)).statusCode).toBe(200)
})

test('an internal error reveals no details', async () => {
  const { form } = await codeFor(ana, app)
  const answer = await whileWritesFail(new Error('secret detail'), () => post(server, app, '/token', form))
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toContain('secret detail')
  expect(answer.body).not.toContain('access_token')
  expect(server.logged()).toContain('secret detail')
})

async function whileReadsFail<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  const { db } = server.deps
  server.deps.db = makeHandle(server.store.engine, () => Promise.reject(error))
  try {
    return await work()
  } finally {
    server.deps.db = db
  }
}

test('an error that cannot be recorded is answered as it is, and with 503 while the database is unavailable', async () => {
  const url = authorizeUrl(app, { client_id: 'https://app.invalid/\0', resource: 'https://api.example/' })
  const answerOf = (error: unknown) => whileReadsFail(error, () => server.app.inject(url))
  const answer = await answerOf(new Error('no row'))
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/oauth?error=invalid_client'])
  expect(server.logged()).toContain('no row')
  const later = await answerOf(problem('unavailable', { retry_after: 2 }))
  expect([later.statusCode, later.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(later.headers['content-security-policy']).toBeDefined()
})

test('a signed introspection is answered in the format of OAuth when its token cannot be read', async () => {
  const id = app.client_id
  good(await ana.call(clients.updateAdvanced, { id, access_token_format: 'jwt' }))
  good(await ana.call(scopes.defineScope, { id, key: 'poems.read', title: { 'en-US': 'Read poems' } }))
  const service = await organization.app({ type: 'service' })
  good(await ana.call(clients.updateClientInfo, { id: service.client_id, scopes: ['poems.read'] }))
  const grant = { grant_type: 'client_credentials', scope: 'poems.read' }
  const { access_token: token } = (await post(server, service, '/token', grant)).json()
  const headers = { ...credentials(service), accept: 'application/token-introspection+jwt' }
  const introspect = () => post(server, service, '/introspect', { token }, headers)
  expect((await introspect()).headers['content-type']).toMatch('token-introspection+jwt')
  const answer = await whileReadsFail(problem('unavailable', { retry_after: 2 }), introspect)
  expect([answer.statusCode, answer.json().error]).toEqual([503, 'temporarily_unavailable'])
})

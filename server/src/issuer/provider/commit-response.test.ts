import { problem } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorizeUrl, codeFor, post, type ThirdParty } from '../../../test/third-party.ts'

/** A response is sent after its writes are committed (protocol §4.7). */
let server: TestServer
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
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

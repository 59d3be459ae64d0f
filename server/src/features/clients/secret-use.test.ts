import { clients } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { post, type ThirdParty } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
})
afterAll(() => server?.close())

async function lastUsed(id: string): Promise<string | null> {
  const answer = await ana.call(clients.getClient, { id })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.secret_last_used_at
}

/** A request with client authentication; its other parameters do not matter. */
const authenticate = {
  '/introspect': (app: ThirdParty) => post(server, app, '/introspect', { token: 'any' }),
  '/token': (app: ThirdParty) => post(server, app, '/token', { grant_type: 'refresh_token', refresh_token: 'any' }),
}

test.each(['/introspect', '/token'] as const)(
  'records the last use of a secret at %s, accurate to a minute',
  async (url) => {
    const app = await (await createOrganization(server, ana)).app()
    expect(await lastUsed(app.client_id)).toBeNull()
    await authenticate[url]({ ...app, client_secret: 'wrong' })
    expect(await lastUsed(app.client_id)).toBeNull()
    const first = server.clock.now().toISOString()
    await authenticate[url](app)
    expect(await lastUsed(app.client_id)).toBe(first)
    server.clock.advance(59)
    await authenticate[url](app)
    expect(await lastUsed(app.client_id)).toBe(first)
    server.clock.advance(1)
    await authenticate[url](app)
    expect(await lastUsed(app.client_id)).toBe(server.clock.now().toISOString())
  },
)

test('a new secret has no last use while the previous one is used', async () => {
  const app = await (await createOrganization(server, ana)).app()
  await authenticate['/introspect'](app)
  const made = await ana.call(clients.regenerateSecret, { id: app.client_id, grace: true })
  if (!made.ok) throw new Error(made.problem.code)
  expect((await authenticate['/introspect'](app)).statusCode).toBe(200)
  expect(await lastUsed(app.client_id)).toBeNull()
  await authenticate['/introspect']({ ...app, client_secret: made.data.client_secret })
  expect(await lastUsed(app.client_id)).not.toBeNull()
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countEvents } from '../../../test/audit-events.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** oidc-provider ignores the outcome of `consume`; only our conditional write prevents a second use (protocol §3.1). */
const PARALLEL = 50
const ROUNDS = 5

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

type Answer = { statusCode: number; json(): { error?: string; access_token: string; refresh_token: string } }

async function race(once: () => Promise<Answer>): Promise<Answer> {
  const answers = await Promise.all(Array.from({ length: PARALLEL }, once))
  const won = answers.filter(({ statusCode }) => statusCode === 200)
  const lost = answers.filter((answer) => answer.statusCode === 400 && answer.json().error === 'invalid_grant')
  expect([won.length, lost.length]).toEqual([1, PARALLEL - 1])
  return won[0] as Answer
}

describe(`${PARALLEL} parallel requests`, () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'one code, round %i: exactly one succeeds',
    async () => {
      const { form } = await codeFor(ana, app)
      const won = await race(() => post(server, app, '/token', form))
      // Another client may have the code, so its tokens are revoked (RFC 6749 §4.1.2).
      expect((await userinfo(server, won.json().access_token)).statusCode).toBe(401)
    },
  )

  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'one refresh token, round %i: exactly one succeeds',
    async () => {
      const { refresh_token } = await signInTo(server, ana, app)
      const won = await race(() => refresh(server, app, refresh_token))
      expect((await refresh(server, app, won.json().refresh_token)).statusCode).toBe(400)
    },
  )

  test.each([1, 2, 3])('tabs of one user that sign in to a client, round %i: no deadlock', async () => {
    // A new client: all of them record the first use of its connection, secret and client.
    const fresh = await organization.app()
    await allow(ana, fresh)
    const tokens = await Promise.all(Array.from({ length: 10 }, () => signInTo(server, ana, fresh)))
    expect(tokens).toHaveLength(10)
    expect(server.deadlocks()).toEqual([])
    for (const { refresh_token } of tokens) await post(server, fresh, '/revoke', { token: refresh_token })
  })

  test('requests that fail leave no rows', async () => {
    const left = await server.store.read.selectFrom('tokens').select('kind').where('consumed_at', 'is', null).execute()
    expect(left).toEqual([])
  })
})

describe.each(['/%74oken?a=b', '/token/', '/token/?a=b'])('at the address %s', (address) => {
  test.each([
    ['code', async () => (await codeFor(ana, app)).form],
    [
      'refresh token',
      async () => ({ grant_type: 'refresh_token', refresh_token: (await signInTo(server, ana, app)).refresh_token }),
    ],
  ])('a second use of a %s ends the grant, and is reported', async (_, given) => {
    const before = await countEvents(server)
    const form = await given()
    const first = await post(server, app, address, form)
    expect(first.statusCode).toBe(200)
    const second = await post(server, app, address, form)
    expect([second.statusCode, second.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect((await userinfo(server, first.json().access_token)).statusCode).toBe(401)
    expect((await post(server, app, '/introspect', { token: first.json().refresh_token })).json().active).toBe(false)
    expect(await countEvents(server)).toBe(before + 1)
  })
})

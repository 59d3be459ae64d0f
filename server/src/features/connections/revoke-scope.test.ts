import { activity, connections } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let app: ThirdParty
let client: string

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  app = await (await createOrganization(server, ana)).app()
  client = app.client_id
})
beforeEach(() => allow(bor, app))
afterAll(() => server?.close())

const revoke = (key: string) => bor.call(connections.revokeScope, { client, key })

describe('revoking one scope', () => {
  test('keeps the others and is recorded', async () => {
    expect(await revoke('email')).toMatchObject({ ok: true, data: { scopes: ['openid', 'profile'] } })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [{ scopes: [{ key: 'openid' }, { key: 'profile' }] }],
    })
    expect(await bor.call(activity.listActivity, { type: 'REVOKED_SCOPES_FROM_APP', limit: 1 })).toMatchObject({
      data: [{ app: { client_id: client }, scopes: ['email'] }],
    })
  })

  test('revokes access tokens with the scope; refreshed tokens do not include it', async () => {
    const tokens = await signInTo(server, bor, app)
    expect((await userinfo(server, tokens.access_token)).json()).toMatchObject({ email: people.bor.email })
    await revoke('email')
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    const renewed = (await refresh(server, app, tokens.refresh_token)).json()
    expect(renewed.scope).toBe('openid profile')
    const known = (await userinfo(server, renewed.access_token)).json()
    expect([known.name, known.email]).toEqual([expect.any(String), undefined])
  })

  test('is rejected for openid, for scopes that are not granted and for other users', async () => {
    expect(await revoke('openid')).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { key: 'required' } },
    })
    expect(await revoke('phone')).toMatchObject({ http: 404 })
    expect(await ana.call(connections.revokeScope, { client, key: 'email' })).toMatchObject({ http: 404 })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [{ scopes: [{ key: 'openid' }, { key: 'profile' }, { key: 'email' }] }],
    })
  })

  test('succeeds for one of twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke('email')))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, ...Array(19).fill(404)])
  })
})

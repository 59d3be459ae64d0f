import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { post, proofKey, type ThirdParty } from '../../../test/third-party.ts'
import { hashToken } from '../../lib/ids.ts'
import { newTimedToken, tokenKey } from './token-keys.ts'

/** A text with the length of a token. */
const MALFORMED = [`\0${'x'.repeat(51)}`, `mct5a\0bcd${'x'.repeat(43)}`, `mct5a xyz${'x'.repeat(43)}`]

test('keys of tokens sort by their time, and tokens of one time differ', () => {
  const times = ['1970-01-01', '2026-11-24T10:00:00.000Z', '2026-11-24T10:00:00.001Z', '2059-05-25', '5000-01-01']
  const tokens = times.flatMap((time) => [newTimedToken(new Date(time)), newTimedToken(new Date(time))])
  const keys = tokens.map((token) => tokenKey(token).slice(0, 9))
  expect(keys).toEqual(keys.toSorted())
  expect(new Set(keys).size).toBe(times.length)
  expect(new Set(tokens.map(tokenKey)).size).toBe(tokens.length)
})

test('the key contains a hash of the whole token', () => {
  const token = newTimedToken(new Date())
  expect(tokenKey(token)).toBe(token.slice(0, 9) + hashToken(token))
  expect(tokenKey(`${token.slice(0, -1)}-`)).not.toContain(hashToken(token))
})

test('the key of a token without a time is its hash', () => {
  for (const token of ['x'.repeat(43), '', 'short', ...MALFORMED]) expect(tokenKey(token)).toBe(hashToken(token))
})

describe('a token with characters that no token has', () => {
  let server: TestServer
  let app: ThirdParty
  beforeAll(async () => {
    server = await startTestServer()
    app = await (await createOrganization(server, await server.as(people.ana))).app()
  })
  afterAll(() => server.close())

  test.for(MALFORMED)('is unknown: %j', async (token) => {
    const anonymous = { client_id: app.client_id, client_secret: null }
    expect((await post(server, anonymous, '/userinfo', { access_token: token })).statusCode).toBe(401)
    expect((await post(server, app, '/introspect', { token })).json()).toEqual({ active: false })
    expect((await post(server, app, '/revoke', { token })).statusCode).toBe(200)
    const { redirect_uri } = jadrolet
    const code = { grant_type: 'authorization_code', code: token, redirect_uri, code_verifier: proofKey().verifier }
    for (const form of [code, { grant_type: 'refresh_token', refresh_token: token }])
      expect((await post(server, app, '/token', form)).json()).toMatchObject({ error: 'invalid_grant' })
  })
})

import { clientDiagnostics, clients, connections } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorizeUrl,
  codeFor,
  credentials,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'
import { pruneAll } from '../../prune.ts'
import { uriWithoutSecrets } from './client-errors.ts'

let server: TestServer
let ana: SignedIn
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())
beforeEach(async () => {
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
})

async function recordedErrors(): Promise<clientDiagnostics.ClientError[]> {
  const answer = await ana.call(clientDiagnostics.listClientErrors, { id: app.client_id })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data
}
const reasons = async () => (await recordedErrors()).map(({ reason, detail }) => [reason, detail])
const sendRequest = (params: Record<string, string | undefined>) => ana.request({ url: authorizeUrl(app, params) })

describe('client errors of an authorization request', () => {
  test.each([
    [{ redirect_uri: 'https://jadrolet.example/cb' }, 'redirect_uri', 'https://jadrolet.example/cb'],
    [
      { redirect_uri: 'https://jadrolet.example/cb?email=ana@example.com' },
      'redirect_uri',
      'https://jadrolet.example/cb?…',
    ],
    [{ scope: 'openid phone' }, 'scope', 'phone'],
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'pkce_missing', ''],
    [{ code_challenge: undefined }, 'pkce_missing', ''],
    [{ code_challenge_method: 'plain' }, 'pkce_method', 'plain'],
    [{ response_type: 'token' }, 'response_type', 'token'],
    [{ response_type: undefined }, 'response_type', ''],
    [{ prompt: 'none login' }, 'authorization_request', 'prompt none must only be used alone'],
  ])('%j is recorded as %s', async (params, reason, detail) => {
    await sendRequest(params)
    expect(await reasons()).toEqual([[reason, detail]])
  })

  test('a client without redirect URIs, or disabled', async () => {
    await ana.call(clients.removeRedirectUri, { id: app.client_id, redirect_uri: 'http://localhost:4000/callback' })
    await sendRequest({})
    await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false })
    await sendRequest({})
    expect((await reasons()).toSorted()).toEqual([
      ['client_disabled', ''],
      ['redirect_uri', 'http://localhost:4000/callback'],
    ])
  })

  test('a denial or a required sign-in is not recorded', async () => {
    await server.browser().request({ url: authorizeUrl(app, { prompt: 'none' }) })
    await ana.call(connections.removeConnection, { client: app.client_id })
    await sendRequest({ prompt: 'none' })
    expect(await reasons()).toEqual([])
  })
})

describe('client errors of a sign-out request', () => {
  const signOut = (params: Record<string, string>) =>
    ana.request({ url: `/end-session?${new URLSearchParams({ client_id: app.client_id, ...params })}` })

  test.each([
    [
      { post_logout_redirect_uri: 'https://jadrolet.example/bye?user=ana' },
      'post_logout_redirect_uri',
      'https://jadrolet.example/bye?…',
    ],
    [{ id_token_hint: 'no-token' }, 'id_token_hint', 'Invalid Token or Protected Header formatting'],
  ])('%j is recorded as %s', async (params, reason, detail) => {
    await signOut(params as Record<string, string>)
    expect(await reasons()).toEqual([[reason, detail]])
  })

  test('a hint with another signature, and a parameter that is sent twice', async () => {
    const { id_token } = await signInTo(server, ana, app)
    const forged = `${id_token.split('.').slice(0, 2).join('.')}.${Buffer.from('forged').toString('base64url')}`
    // The hint alone names the app.
    await ana.request({ url: `/end-session?${new URLSearchParams({ id_token_hint: forged })}` })
    await ana.request({ url: `/end-session?client_id=${app.client_id}&state=a&state=b` })
    expect((await reasons()).toSorted()).toEqual([
      ['end_session_request', expect.stringContaining('state')],
      ['id_token_hint', 'signature verification failed'],
    ])
  })
})

describe('client errors of a token request', () => {
  const exchange = async (form: Record<string, string>, headers?: Record<string, string>) => {
    const { form: right } = await codeFor(ana, app)
    await post(server, app, '/token', { ...right, ...form }, headers)
    return await reasons()
  }

  test('a wrong secret, or none', async () => {
    const wrong = credentials({ ...app, client_secret: 'vrts_wrong' })
    expect(await exchange({}, wrong)).toEqual([['secret_wrong', '']])
    expect((await exchange({}, {})).toSorted()).toEqual([
      ['secret_missing', ''],
      ['secret_wrong', ''],
    ])
  })

  test.each([
    [{ code_verifier: 'x'.repeat(43) }, 'code_verifier'],
    [{ redirect_uri: 'https://other.example/' }, 'redirect_uri_changed'],
    [{ code: 'never-given' }, 'code'],
  ])('%j', async (form, reason) => {
    expect(await exchange(form as Record<string, string>)).toEqual([[reason, '']])
  })

  test('a code used twice', async () => {
    const { form } = await codeFor(ana, app)
    for (const _ of [1, 2]) await post(server, app, '/token', form)
    expect(await reasons()).toEqual([['code', '']])
  })

  test('an unknown refresh token, an unsupported grant type', async () => {
    await refresh(server, app, 'never-given')
    await post(server, app, '/token', { grant_type: 'password', username: 'ana', password: 'secret' })
    const found = (await reasons()).toSorted()
    expect(found).toEqual([
      ['grant_type', 'password'],
      ['refresh_token', ''],
    ])
  })

  test('an origin that is not registered', async () => {
    const { form } = await codeFor(ana, app)
    await post(server, app, '/token', form, { ...credentials(app), origin: 'https://spa.example' })
    expect(await recordedErrors()).toMatchObject([{ reason: 'origin', detail: 'https://spa.example', addable: true }])
    const { access_token } = await signInTo(server, ana, app)
    await server.app.inject({
      url: '/userinfo',
      headers: { authorization: `Bearer ${access_token}`, origin: 'https://other.example' },
    })
    expect(await reasons()).toContainEqual(['origin', 'https://other.example'])
    await ana.call(clients.addOrigin, { id: app.client_id, origin: 'https://spa.example' })
    expect(await reasons()).toEqual([['origin', 'https://other.example']])
  })
})

test('equal errors are counted; they are deleted when the address is registered', async () => {
  const redirect_uri = 'http://localhost:4000/back'
  for (const _ of [1, 2, 3]) await sendRequest({ redirect_uri })
  expect(await recordedErrors()).toMatchObject([
    { reason: 'redirect_uri', detail: redirect_uri, addable: true, times: 3 },
  ])
  await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri })
  expect(await recordedErrors()).toEqual([])
  expect((await sendRequest({ redirect_uri })).headers.location).toMatch(/^http:\/\/localhost:4000\/back\?code=/)
})

test('only addresses that can be registered are offered', async () => {
  for (const redirect_uri of ['http://jadrolet.example/cb', 'com.example.app:/cb', 'https://a.example/cb?x=1']) {
    await sendRequest({ redirect_uri })
  }
  expect((await recordedErrors()).map(({ addable }) => addable)).toEqual([false, false, false])
})

test('an address that is longer than what is kept of it is not offered, and its error goes when it is registered', async () => {
  const redirect_uri = `http://localhost:4000/${'a'.repeat(400)}`
  await sendRequest({ redirect_uri })
  expect(await recordedErrors()).toMatchObject([{ reason: 'redirect_uri', addable: false }])
  await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri })
  expect(await recordedErrors()).toEqual([])
})

test('many errors leave a few rows, displace no other kind and are not written without limit', async () => {
  await sendRequest({ scope: 'openid phone' })
  for (let i = 0; i < 40; i += 1) {
    server.clock.advance(0.001)
    await sendRequest({ redirect_uri: `https://evil.example/${i}` })
  }
  const found = await recordedErrors()
  expect(found.filter(({ reason }) => reason === 'redirect_uri')).toHaveLength(10)
  expect(found.filter(({ reason }) => reason === 'scope')).toHaveLength(1)
  // 30 writes a minute, one of them for the scope.
  expect(found[0]?.detail).toBe('https://evil.example/28')
})

test('records contain no secret, code or token', async () => {
  const { form } = await codeFor(ana, app)
  await post(server, app, '/token', { ...form, code_verifier: 'y'.repeat(43) })
  await post(server, app, '/token', form, credentials({ ...app, client_secret: 'vrts_secret-of-somebody' }))
  await sendRequest({ redirect_uri: 'https://ana:geslo@a.example/cb#token' })
  await userinfo(server, 'a-token')
  const rows = JSON.stringify(await server.store.read.selectFrom('refusals').selectAll().execute())
  for (const part of [form.code, form.code_verifier, 'vrts_', 'geslo', 'ana:', '#token', 'yyyy']) {
    expect(rows).not.toContain(part)
  }
})

test('records are deleted on request, and after a week', async () => {
  await sendRequest({ scope: 'openid phone' })
  expect(await ana.call(clientDiagnostics.deleteClientErrors, { id: app.client_id })).toMatchObject({ ok: true })
  expect(await recordedErrors()).toEqual([])
  await sendRequest({ scope: 'openid phone' })
  server.clock.advance(8 * 24 * 60 * 60)
  await pruneAll(server.deps)
  expect(await server.store.read.selectFrom('refusals').selectAll().execute()).toEqual([])
})

test('an unknown client is not recorded', async () => {
  await ana.request({ url: authorizeUrl({ ...app, client_id: 'vrt_nobody' }, { redirect_uri: 'https://x.example/' }) })
  const row = await server.store.read.selectFrom('refusals').selectAll().where('client_id', '=', 'vrt_nobody').execute()
  expect(row).toEqual([])
})

test.each([
  ['https://a.example/cb', 'https://a.example/cb'],
  ['https://a.example/cb?x=1', 'https://a.example/cb?…'],
  ['https://u:p@a.example/cb', 'https://a.example/cb'],
  ['https://u:p@q@a.example/cb', 'https://a.example/cb'],
  ['https:\\\\u:p@a.example/cb', 'https://a.example/cb'],
  ['https:u:p@a.example/cb', 'https://a.example/cb'],
  ['com.example://u:p@cb', 'com.example://cb'],
  ['no address', ''],
  ['https://a.example/č', ''],
  [undefined, ''],
])('%s is kept as %j', (value, kept) => {
  expect(uriWithoutSecrets(value)).toBe(kept)
})

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { activity, clientDiagnostics, clients, connections, paths, security, sessions, signIn } from '@vrata/contract'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { relyingParty, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { mailedToken, mailsTo, registerConfirmedUser, registerUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { allow, post, SCOPE, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** OpenID Connect CIBA Core 1.0, with openid-client as the app. */
const GRANT = clients.CIBA_GRANT
let server: TestServer
let ana: SignedIn
let bor: Awaited<ReturnType<typeof registerConfirmedUser>>
let organization: Organization
let app: ThirdParty
let rp: client.Configuration

beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

beforeEach(async () => {
  // The clock may have passed the end of the access cookie.
  good(await ana.call(sessions.refresh, {}))
  bor = await registerConfirmedUser(server)
  app = await organization.app({ name: 'Klicni center' })
  await change({ backchannel_token_delivery_mode: 'poll' })
  rp = await relyingParty(server, app.client_id, app.client_secret ?? undefined)
  await allow(bor, app)
})

async function change(settings: Partial<clients.Advanced>) {
  return good(await ana.call(clients.updateAdvanced, { id: app.client_id, ...settings }))
}
const begin = (params: Record<string, string> = {}) =>
  client.initiateBackchannelAuthentication(rp, { scope: SCOPE, login_hint: bor.email, ...params })
const send = (form: Record<string, string>) =>
  post(server, app, '/backchannel_authentication', { scope: SCOPE, login_hint: bor.email, ...form })
/** Requests that the person sees, after the jobs have run. */
async function waiting(person: Pick<SignedIn, 'call'> = bor) {
  await server.outbox()
  return good(await person.call(connections.listRequests))
}
function answer(uid: string, change: object = {}, person: Pick<SignedIn, 'call'> = bor) {
  return person.call(connections.submitConsent, { client: app.client_id, uid, scopes: SCOPE.split(' '), ...change })
}
async function ask({ auth_req_id }: { auth_req_id: string }, by = app) {
  const asked = await post(server, by, '/token', { grant_type: GRANT, auth_req_id })
  return [asked.statusCode, asked.json().error]
}
const reasons = async () =>
  good(await ana.call(clientDiagnostics.listClientErrors, { id: app.client_id })).map(({ reason }) => reason)

describe('an app', () => {
  test('signs in a person who allows its request in the account pages', async () => {
    const started = await begin({ binding_message: 'Šifra 4711' })
    expect(started.expires_in).toBe(600)
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    const [request] = await waiting()
    expect(request).toMatchObject({
      client: { client_id: app.client_id, name: 'Klicni center' },
      scope: SCOPE,
      binding_message: 'Šifra 4711',
    })
    const uid = request?.uid ?? ''
    const asked = good(await bor.call(connections.getConsent, { client: app.client_id, uid }))
    expect(asked).toMatchObject({ connected: true, redirect_host: null, request: { binding_message: 'Šifra 4711' } })
    expect(good(await answer(uid))).toMatchObject({ redirect_to: '/request-answered/allowed' })
    const tokens = await client.pollBackchannelAuthenticationGrant(rp, { ...started, interval: 0.01 })
    expect(tokens.claims()).toMatchObject({ sub: bor.user.id, aud: app.client_id, amr: ['pwd'] })
    expect((await userinfo(server, tokens.access_token)).json().email).toBe(bor.email)
    expect((await client.refreshTokenGrant(rp, tokens.refresh_token as string)).access_token).toBeTruthy()
    const seen = good(await bor.call(activity.listActivity, { client_id: app.client_id }))
    expect(seen.map(({ type, binding_message }) => [type, binding_message]).slice(0, 2)).toEqual([
      ['LOGGED_IN_TO_APP', undefined],
      ['ALLOWED_REQUEST_OF_APP', 'Šifra 4711'],
    ])
  })

  test('is answered while there is time left, which is counted by the server', async () => {
    await begin()
    const uid = (await waiting())[0]?.uid ?? ''
    const listed = async () => (await waiting()).find((request) => request.uid === uid)
    const timeLeft = async () => [
      (await listed())?.expires_in,
      good(await bor.call(connections.getConsent, { client: app.client_id, uid })).request?.expires_in,
    ]
    expect(await timeLeft()).toEqual([600, 600])
    server.clock.advance(90)
    expect(await timeLeft()).toEqual([510, 510])
    expect((await listed())?.age).toBe(90)
    good(await answer(uid, { deny: true, scopes: [] }))
  })

  test('gets access_denied when the person denies, once', async () => {
    const started = await begin()
    const [request] = await waiting()
    good(await answer(request?.uid ?? '', { deny: true, scopes: [] }))
    expect(await ask(started)).toEqual([400, 'access_denied'])
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
    expect(await answer(request?.uid ?? '')).toMatchObject({ problem: { code: 'not_found' } })
  })

  test.each([
    ['allowed', {}],
    ['denied', { deny: true, scopes: [] }],
  ])(
    'is answered once by a person who did not get the answer and sends the decision again: %s',
    async (done, decision) => {
      const started = await begin()
      const uid = (await waiting())[0]?.uid ?? ''
      const other = done === 'allowed' ? { deny: true, scopes: [] } : {}
      const answered = { ok: true, data: { redirect_to: `/request-answered/${done}` } }
      const refused = { problem: { code: 'not_found' } }
      for (const again of await Promise.all(Array.from({ length: 8 }, () => answer(uid, decision))))
        expect(again).toMatchObject(answered)
      expect(await answer(uid, other)).toMatchObject(refused)
      expect((await ask(started))[0]).toBe(done === 'allowed' ? 200 : 400)
      expect(await ask(started)).toEqual([400, 'invalid_grant'])
      expect(await answer(uid, decision)).toMatchObject(answered)
      expect(await answer(uid, other)).toMatchObject(refused)
      expect(await answer(uid, decision, ana)).toMatchObject(refused)
      const seen = good(await bor.call(activity.listActivity, { client_id: app.client_id }))
      expect(seen.filter(({ type }) => type === `${done.toUpperCase()}_REQUEST_OF_APP`)).toHaveLength(1)
    },
  )

  test('collects its tokens once, also with concurrent requests', async () => {
    const started = await begin()
    const [request] = await waiting()
    good(await answer(request?.uid ?? ''))
    const asked = await Promise.all([ask(started), ask(started), ask(started)])
    expect(asked.map(([status]) => status).sort()).toEqual([200, 400, 400])
  })

  test('gets slow_down, and expired_token without an answer', async () => {
    const started = await begin({ requested_expiry: '60' })
    expect(started.expires_in).toBe(60)
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    expect(await ask(started)).toEqual([400, 'slow_down'])
    server.clock.advance(61)
    expect(await ask(started)).toEqual([400, 'expired_token'])
    expect(await waiting()).toEqual([])
  })

  test('sees its request expire by the clock of the server, on the page without script, too', async () => {
    await begin({ requested_expiry: '300' })
    const [request] = await waiting()
    const url = paths.plainConsent({ uid: request?.uid ?? '', client_id: app.client_id })
    expect((await bor.request({ url })).body).toContain('Expires in 5 minutes')
    server.clock.advance(130)
    expect((await bor.request({ url })).body).toContain('Expires in 3 minutes')
  })

  test('cannot use the request of another app', async () => {
    const started = await begin()
    const another = await organization.app({ name: 'Drugi' })
    expect((await ask(started, another))[1]).toBe('unauthorized_client')
    good(await ana.call(clients.updateAdvanced, { id: another.client_id, backchannel_token_delivery_mode: 'poll' }))
    expect(await ask(started, another)).toEqual([400, 'invalid_grant'])
  })

  test('is refused while it has not switched it on, and by reasons that its developers read', async () => {
    for (const [form, error] of [
      [{ login_hint_token: 'a.b.c', login_hint: '' }, 'invalid_request'],
      [{ binding_message: 'x'.repeat(41) }, 'invalid_binding_message'],
      [{ scope: 'openid phone' }, 'invalid_scope'],
      [{ requested_expiry: 'soon' }, 'invalid_request'],
    ] as const) {
      expect((await send(form)).json().error).toBe(error)
    }
    await change({ backchannel_token_delivery_mode: null })
    const refused = await send({})
    expect([refused.statusCode, refused.json().error]).toEqual([400, 'unauthorized_client'])
    expect((await reasons()).sort()).toEqual(['binding_message', 'ciba_request', 'grant_type', 'login_hint', 'scope'])
  })
})

describe('a request to a person who may not be asked', () => {
  const hints = {
    nobody: async () => 'nobody@example.com',
    'a text with a NUL character': async () => 'nobody\0@example.com',
    'an unconfirmed account': async () => (await registerUser(server)).email,
    'a person who has not connected the app': async () => (await registerConfirmedUser(server)).email,
  }

  test.each(Object.entries(hints))(
    '%s: is answered like any other, stays pending and mails nothing',
    async (_, who) => {
      const hint = await who()
      const mails = (await server.outbox()).length
      const known = await send({})
      const unknown = await send({ login_hint: hint })
      expect(unknown.statusCode).toBe(200)
      expect(Object.keys(unknown.json())).toEqual(Object.keys(known.json()))
      expect(unknown.json().expires_in).toBe(known.json().expires_in)
      expect(await ask(unknown.json())).toEqual([400, 'authorization_pending'])
      expect((await server.outbox()).length).toBe(mails + 1)
      expect(await reasons()).toEqual([])
      server.clock.advance(601)
      expect(await ask(unknown.json())).toEqual([400, 'expired_token'])
    },
  )

  test('stays pending when the person changes the password', async () => {
    const unconnected = await registerConfirmedUser(server)
    const { email, password: current_password } = unconnected
    const started = (await send({ login_hint: email })).json()
    await server.outbox()
    good(await unconnected.call(security.changePassword, { current_password, new_password: 'drugacna-gora-17' }))
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
  })

  test('stays pending when a reset password deletes the account, whose address was never confirmed', async () => {
    const { email } = await registerUser(server)
    const started = (await send({ login_hint: email })).json()
    const browser = server.browser()
    good(await browser.call(signIn.forgotPassword, { email }))
    const token = await mailedToken(server, email)
    good(await browser.call(signIn.resetPassword, { token, new_password: 'drugacna-gora-17' }))
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
  })

  test('is answered like any other at an address with a slash at the end, too', async () => {
    for (const login_hint of [bor.email, 'nobody@example.com']) {
      const { statusCode } = await post(server, app, '/backchannel_authentication/', { scope: SCOPE, login_hint })
      expect(statusCode, login_hint).toBe(200)
    }
  })

  test('counts against the same limit, for each hint', async () => {
    for (const login_hint of [bor.email, 'nobody@example.com']) {
      const answers = []
      for (let i = 0; i < 6; i += 1) answers.push((await send({ login_hint })).statusCode)
      expect(answers).toEqual([200, 200, 200, 200, 200, 403])
    }
    expect(await waiting()).toHaveLength(5)
    expect(await reasons()).toEqual(['requests_waiting'])
    // The letters of a hint may be composed in two ways, as those of an address.
    const spellings = ['Ž', 'ž', 'Z\u030c', 'z\u030c', ' ž', ' Z\u030c'].map((letter) => `${letter}iga@example.com`)
    const answers = []
    for (const login_hint of spellings) answers.push((await send({ login_hint })).statusCode)
    expect(answers).toEqual([200, 200, 200, 200, 200, 403])
  })

  test('counts parallel requests, too', async () => {
    const sent = await Promise.all(Array.from({ length: 12 }, () => send({})))
    const refused = sent.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(7)
    for (const { statusCode, body } of refused) {
      expect([statusCode, JSON.parse(body)]).toEqual([
        403,
        { error: 'access_denied', error_description: 'too many requests wait for this person' },
      ])
    }
    expect(await waiting()).toHaveLength(5)
    expect(await reasons()).toEqual(['requests_waiting'])
    expect(server.deadlocks()).toEqual([])
  })
})

describe('the mailed link', () => {
  async function linkOf() {
    const mail = (await mailsTo(server, bor.email)).at(-1)
    return new URL(mail?.link ?? '')
  }

  test('opens the question for its owner alone, and allows nothing by itself', async () => {
    const started = await begin({ binding_message: 'Vrstica 7' })
    const link = await linkOf()
    const [uid, id] = ['uid', 'client_id'].map((name) => link.searchParams.get(name) ?? '')
    expect([link.pathname, id]).toEqual(['/oauth', app.client_id])
    expect(JSON.stringify(await mailsTo(server, bor.email))).not.toContain('Vrstica 7')
    const call = { client: app.client_id, uid: uid ?? '' }
    expect(await ana.call(connections.getConsent, call)).toMatchObject({ problem: { code: 'not_found' } })
    expect(await answer(call.uid, {}, ana)).toMatchObject({ problem: { code: 'not_found' } })
    expect((await server.browser().call(connections.getConsent, call)).http).toBe(401)
    expect(good(await bor.call(connections.getConsent, call)).request?.binding_message).toBe('Vrstica 7')
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    good(await answer(call.uid))
    expect(await bor.call(connections.getConsent, call)).toMatchObject({ problem: { code: 'not_found' } })
    expect(await answer(call.uid, { deny: true, scopes: [] })).toMatchObject({ problem: { code: 'not_found' } })
    server.clock.advance(5)
    expect((await ask(started))[0]).toBe(200)
  })

  test('is stored as a hash, and no secret of a request is stored in plain', async () => {
    const { auth_req_id } = await begin()
    const token = (await linkOf()).searchParams.get('uid') ?? ''
    const rows = JSON.stringify(await server.store.read.selectFrom('ciba_requests').selectAll().execute())
    expect(rows).not.toContain(token)
    expect(rows).not.toContain(auth_req_id)
  })

  test('is mailed ten times a day for one app; further requests are in the account pages', async () => {
    const before = (await mailsTo(server, bor.email)).length
    for (let i = 0; i < 12; i += 1) {
      await begin()
      const [request] = await waiting()
      good(await answer(request?.uid ?? '', { deny: true, scopes: [] }))
    }
    expect((await mailsTo(server, bor.email)).length).toBe(before + 10)
  })

  test('is mailed thirty times a day for all apps', async () => {
    const before = (await mailsTo(server, bor.email)).length
    for (let apps = 0; apps < 7; apps += 1) {
      const another = await organization.app({ name: 'Klicni center' })
      good(await ana.call(clients.updateAdvanced, { id: another.client_id, backchannel_token_delivery_mode: 'poll' }))
      await allow(bor, another)
      const form = { scope: SCOPE, login_hint: bor.email }
      for (let i = 0; i < 5; i += 1) await post(server, another, '/backchannel_authentication', form)
    }
    expect(await waiting()).toHaveLength(35)
    expect((await mailsTo(server, bor.email)).length).toBe(before + 30)
  })

  test('works without script', async () => {
    await begin({ binding_message: 'Brez skripte' })
    const uid = (await linkOf()).searchParams.get('uid') ?? ''
    const page = await bor.request({ url: `/authorize/${uid}/consent/${app.client_id}` })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Brez skripte')
    const visitor = await server.browser().request({ url: `/authorize/${uid}/consent/${app.client_id}` })
    expect(decodeURIComponent(String(visitor.headers.location))).toContain(`redirect=/authorize/${uid}/consent/`)
  })
})

describe('in the mode ping', () => {
  let listener: Server
  let received: { authorization: string | undefined; body: unknown }[]
  /** Status codes of the next answers of the app's server; 204 after them. */
  let answers: number[]
  afterEach(() => void listener.close())
  beforeEach(async () => {
    received = []
    answers = []
    listener = createServer(async (request, response) => {
      received.push({ authorization: request.headers.authorization, body: await json(request) })
      response.writeHead(answers.shift() ?? 204).end()
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const endpoint = `http://127.0.0.1:${port}/ciba`
    await change({ backchannel_token_delivery_mode: 'ping', backchannel_client_notification_endpoint: endpoint })
  })
  async function answered() {
    const started = (await send({ client_notification_token: 'a-bearer-token' })).json()
    const [request] = await waiting()
    expect(received).toEqual([])
    good(await answer(request?.uid ?? ''))
    await server.outbox()
    return started
  }

  test('the app is notified with its token when the person has answered', async () => {
    const started = await answered()
    expect(received).toEqual([{ authorization: 'Bearer a-bearer-token', body: { auth_req_id: started.auth_req_id } }])
    expect((await ask(started))[0]).toBe(200)
    expect((await send({})).json().error).toBe('invalid_request')
  })

  const changePassword = async () =>
    good(await bor.call(security.changePassword, { current_password: bor.password, new_password: 'drugacna-gora-17' }))

  test.each([
    ['changes the password', changePassword],
    ['removes the app', async () => good(await bor.call(connections.removeConnection, { client: app.client_id }))],
  ])('the app is notified when the person %s and so ends the request', async (_, end) => {
    const started = (await send({ client_notification_token: 'a-bearer-token' })).json()
    await waiting()
    await end()
    await server.outbox()
    expect(received).toEqual([{ authorization: 'Bearer a-bearer-token', body: { auth_req_id: started.auth_req_id } }])
    expect(await ask(started)).toEqual([400, 'access_denied'])
  })

  test('the app is notified once when the person has answered before', async () => {
    await answered()
    await changePassword()
    await server.outbox()
    expect(received).toHaveLength(1)
  })

  test('a notification is repeated while the app is unavailable', async () => {
    answers = [503, 429]
    const started = await answered()
    for (const times of [1, 2, 3, 3]) {
      expect(received).toHaveLength(times)
      server.clock.advance(60)
      await server.outbox()
    }
    expect(new Set(received.map((one) => JSON.stringify(one)))).toHaveLength(1)
    expect((await ask(started))[0]).toBe(200)
  })

  test.each([302, 400, 401, 403])('a notification that the app answers with %i is not repeated', async (status) => {
    answers = [status]
    const started = await answered()
    server.clock.advance(60)
    await server.outbox()
    expect(received).toHaveLength(1)
    expect((await ask(started))[0]).toBe(200)
  })
})

describe('a signed request', () => {
  test('is required with the registered algorithm, and accepted once', async () => {
    const { publicKey, privateKey } = await generateKeyPair('PS256', { extractable: true })
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'PS256' }] } as clients.Advanced['jwks']
    good(await ana.call(sessions.reauthenticate, { password: people.ana.password }))
    await change({ jwks, backchannel_authentication_request_signing_alg: 'PS256' })
    expect((await send({})).json().error).toBe('invalid_request')
    const claims = { scope: SCOPE, login_hint: bor.email, binding_message: 'podpisano' }
    const now = Math.floor(Date.now() / 1000)
    const sign = (more: object) =>
      new SignJWT({ ...claims, nbf: now, iat: now, exp: now + 300, jti: randomUUID(), ...more })
        .setProtectedHeader({ alg: 'PS256', kid: 'one' })
        .setIssuer(app.client_id)
        .setAudience(server.config.url)
        .sign(privateKey)
    const signed = (request: string) => post(server, app, '/backchannel_authentication', { request })
    for (const wrong of [
      { jti: undefined },
      { nbf: undefined },
      { iat: undefined },
      { nbf: now - 60, exp: now + 3600 },
    ])
      expect((await signed(await sign(wrong))).json().error).toBe('invalid_request')
    const request = await sign({})
    expect((await signed(request)).json()).toMatchObject({ expires_in: 600 })
    expect((await signed(request)).statusCode).toBe(400)
    expect((await waiting()).map(({ binding_message }) => binding_message)).toEqual(['podpisano'])
  })
})

test('a request that the person allowed gives no tokens when their password changes while the app collects them', async () => {
  const started = await begin()
  const [request] = await waiting()
  good(await answer(request?.uid ?? ''))
  // The answer has been read, and nothing is written.
  const { transaction } = server.deps
  server.deps.transaction = (async (...given: Parameters<typeof transaction>) => {
    server.deps.transaction = transaction
    good(await bor.call(security.changePassword, { current_password: bor.password, new_password: 'drugacna-gora-17' }))
    return await transaction(...given)
  }) as typeof transaction
  expect(await ask(started)).toEqual([400, 'invalid_grant'])
  expect(server.deps.transaction).toBe(transaction)
})

test('an app that requires two factors gets no tokens of a person who has signed in with one', async () => {
  const claims = JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } })
  const started = await begin({ claims })
  const [request] = await waiting()
  good(await answer(request?.uid ?? ''))
  expect(await ask(started)).toEqual([400, 'unmet_authentication_requirements'])
})

test('an app with front-channel logout gets the sid that its front-channel logout will have', async () => {
  await change({ frontchannel_logout_uri: 'http://localhost:4000/out', frontchannel_logout_session_required: true })
  const started = await begin()
  const [request] = await waiting()
  good(await answer(request?.uid ?? ''))
  const tokens = await client.pollBackchannelAuthenticationGrant(rp, { ...started, interval: 0.01 })
  const sid = tokens.claims()?.sid
  const { redirect_to = '' } = good(await bor.call(sessions.logout, {}))
  expect((await bor.request({ url: redirect_to })).body).toContain(`sid=${sid}`)
})

test('an ID token names the person, too', async () => {
  const started = await begin()
  const [request] = await waiting()
  good(await answer(request?.uid ?? ''))
  const { id_token = '' } = await client.pollBackchannelAuthenticationGrant(rp, { ...started, interval: 0.01 })
  const again = await post(server, app, '/backchannel_authentication', { scope: SCOPE, id_token_hint: id_token })
  expect(again.statusCode).toBe(200)
  expect(await waiting()).toHaveLength(1)
})

test('the settings require users, client authentication and what the mode needs', async () => {
  const refused = async (settings: Partial<clients.Advanced>) => {
    const answer = await ana.call(clients.updateAdvanced, { id: app.client_id, ...settings })
    return answer.ok ? undefined : [answer.problem.code, ...Object.keys(answer.problem.fields ?? {})]
  }
  expect(await refused({ backchannel_token_delivery_mode: 'ping' })).toEqual([
    'invalid_request',
    'backchannel_client_notification_endpoint',
  ])
  expect(await refused({ require_client_secret: false })).toEqual(['secret_required', 'require_client_secret'])
  expect(await refused({ backchannel_authentication_request_signing_alg: 'PS256' })).toEqual(['keys_required', 'jwks'])
  const service = await organization.app({ name: 'Storitev', type: 'service' })
  const on = { id: service.client_id, backchannel_token_delivery_mode: 'poll' } as const
  expect(await ana.call(clients.updateAdvanced, on)).toMatchObject({
    problem: { fields: { backchannel_token_delivery_mode: 'wrong' } },
  })
})

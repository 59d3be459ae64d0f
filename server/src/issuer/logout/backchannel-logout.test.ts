import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { activity, clients, connections, sessions } from '@vrata/contract'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { setPolicy } from '../../../test/policy.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import { pruneAll } from '../../prune.ts'

/** OpenID Connect Back-Channel Logout 1.0, with a listening server. */
let server: TestServer
let ana: SignedIn
let app: ThirdParty
let listener: Server
/** Received requests, and the status of the next response. */
let received: { type: string | undefined; token: string }[]
let answers: number[]
/** The body of the responses. */
let body: string

beforeAll(async () => {
  server = await startTestServer()
  listener = createServer(async (request: IncomingMessage, response) => {
    const token = new URLSearchParams(await text(request)).get('logout_token') ?? ''
    received.push({ type: request.headers['content-type'], token })
    response.writeHead(answers.shift() ?? 200).end(body)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
})
afterAll(async () => {
  listener?.close()
  await server?.close()
})

beforeEach(async () => {
  received = []
  answers = []
  body = ''
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  const answer = await ana.call(clients.updateAdvanced, { id: app.client_id, backchannel_logout_uri: listening() })
  expect(answer.ok).toBe(true)
  await allow(ana, app)
})

/** The address of the listening server. */
function listening(): string {
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/signed-out`
}

async function verified(token: string) {
  const jwks = await server.app.inject({ url: '/jwks' })
  return await jwtVerify(token, createLocalJWKSet(jwks.json()), {
    issuer: server.config.url,
    audience: app.client_id,
    typ: 'logout+jwt',
    currentDate: server.clock.now(),
  })
}

describe('a logout token', () => {
  test('is sent to each client of a session that the user ends, with the `sid` of its ID token', async () => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app)
    const { sid, sub } = decodeJwt(id_token)
    expect(sid).toEqual(expect.any(String))
    expect(decodeJwt((await signInTo(server, person, app)).id_token).sid).toBe(sid)

    await person.call(sessions.logout, {})
    expect(received).toEqual([])
    await server.outbox()
    expect(received).toHaveLength(1)
    expect(received[0]?.type).toBe('application/x-www-form-urlencoded')
    const { payload } = await verified(received[0]?.token ?? '')
    expect(payload).toEqual({
      iss: server.config.url,
      aud: app.client_id,
      sub,
      sid,
      iat: expect.any(Number),
      exp: (payload.iat as number) + 120,
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
  })

  test('names the ended session only; each session has its own `sid`', async () => {
    const [phone, desktop] = [await server.as(people.ana), await server.as(people.ana)]
    const sids = []
    for (const browser of [phone, desktop]) sids.push(decodeJwt((await signInTo(server, browser, app)).id_token).sid)
    expect(new Set(sids).size).toBe(2)
    await desktop.call(sessions.logoutSession, { id: phone.user.session_id })
    await server.outbox()
    expect(received.map(({ token }) => decodeJwt(token).sid)).toEqual([sids[0]])
  })

  test('is sent to a client that has signed the user in silently, also once its tokens are deleted', async () => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app, { prompt: 'none' })
    await authorize(person, app, { prompt: 'none' })
    server.clock.advance(24 * 3600)
    await pruneAll(server.deps)
    await person.call(sessions.refresh, {})
    const devices = good(await person.call(sessions.listSessions, {}))
    expect(devices.find(({ current }) => current)?.apps.map(({ client_id }) => client_id)).toEqual([app.client_id])
    const signIns = good(await person.call(activity.listActivity, { type: 'LOGGED_IN_TO_APP' }))
    expect(signIns.filter(({ app: of }) => of?.client_id === app.client_id)).toHaveLength(1)
    await person.call(sessions.logout, {})
    await server.outbox()
    expect(received.map(({ token }) => decodeJwt(token).sid)).toEqual([decodeJwt(id_token).sid])
  })

  test('is sent to a client without tokens also when its sign-in is no longer in the activity', async () => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app, { scope: 'openid' })
    server.clock.advance(2 * 24 * 3600)
    await setPolicy(server, { activity_days: 1 })
    await pruneAll(server.deps)
    await setPolicy(server, { activity_days: null })
    await server.store.db.deleteFrom('tokens').where('client_id', '=', app.client_id).execute()
    await person.call(sessions.refresh, {})
    expect(good(await person.call(activity.listActivity, { type: 'LOGGED_IN_TO_APP' }))).toEqual([])
    await person.call(sessions.logout, {})
    await server.outbox()
    expect(received.map(({ token }) => decodeJwt(token).sid)).toEqual([decodeJwt(id_token).sid])
  })

  test('has no `sid` when the user unlinks the client', async () => {
    await signInTo(server, ana, app)
    await ana.call(connections.removeConnection, { client: app.client_id })
    await server.outbox()
    expect(received).toHaveLength(1)
    const { payload } = await verified(received[0]?.token ?? '')
    expect(payload.sub).toBe(ana.user.id)
    expect(payload).not.toHaveProperty('sid')
    expect(payload).not.toHaveProperty('nonce')
  })

  test('is signed again and repeated while the server is unavailable, and not repeated after a rejection', async () => {
    const person = await server.as(people.ana)
    await signInTo(server, person, app)
    answers = [503, 400]
    await person.call(sessions.logout, {})
    await server.outbox()
    server.clock.advance(10)
    await server.outbox()
    server.clock.advance(3600)
    await server.outbox()
    expect(received).toHaveLength(2)
    const [first, second] = received.map(({ token }) => decodeJwt(token))
    expect(second?.jti).not.toBe(first?.jti)
    expect(second?.iat).toBeGreaterThan(first?.iat as number)
  })

  test('is not repeated when the app answers with a long page', async () => {
    const person = await server.as(people.ana)
    await signInTo(server, person, app)
    body = '<p>Odjavljeni ste.</p>'.repeat(10_000)
    await person.call(sessions.logout, {})
    await server.outbox()
    server.clock.advance(3600)
    await server.outbox()
    expect(received).toHaveLength(1)
  })

  test('of an app whose server fails is postponed after a few attempts, so that those of other apps do not wait', async () => {
    let attempts = 0
    const failing = createServer((request) => {
      attempts += 1
      request.socket.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void failing.close())
    await once(failing, 'listening')
    const { port } = failing.address() as AddressInfo
    const broken = await (await createOrganization(server, ana)).app()
    const backchannel_logout_uri = `http://127.0.0.1:${port}/signed-out`
    good(await ana.call(clients.updateAdvanced, { id: broken.client_id, backchannel_logout_uri }))
    await allow(ana, broken)
    const leave = async (from: ThirdParty) => {
      const person = await server.as(people.ana)
      await signInTo(server, person, from)
      await person.call(sessions.logout, {})
    }
    for (let times = 0; times < 12; times += 1) await leave(broken)
    await leave(app)
    await server.outbox()
    // Not more than run at once.
    expect(attempts).toBeLessThanOrEqual(5)
    expect(received).toHaveLength(1)
    // One request finds out that the server still fails.
    const before = attempts
    server.clock.advance(30)
    await server.outbox()
    expect(attempts).toBe(before + 1)
    good(await ana.call(clients.updateAdvanced, { id: broken.client_id, backchannel_logout_uri: listening() }))
    server.clock.advance(3600)
    await server.outbox()
    expect(received).toHaveLength(13)
  })

  test('is not sent to a client without a sign-in, a disabled one, or one without backchannel_logout_uri', async () => {
    const person = await server.as(people.ana)
    await person.call(sessions.logout, {})
    const other = await server.as(people.ana)
    await signInTo(server, other, app)
    await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false })
    await other.call(sessions.logout, {})
    await server.outbox()
    expect(received).toEqual([])
  })

  test('is signed with the algorithm of the ID tokens of the client', async () => {
    await ana.call(clients.updateAdvanced, { id: app.client_id, id_token_signed_response_alg: 'RS256' })
    const person = await server.as(people.ana)
    await signInTo(server, person, app)
    await person.call(sessions.logout, {})
    await server.outbox()
    expect(decodeProtectedHeader(received[0]?.token ?? '')).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
    await verified(received[0]?.token ?? '')
  })
})

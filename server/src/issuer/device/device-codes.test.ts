import { setTimeout } from 'node:timers/promises'
import { clients, connections, LIFETIMES, readUserCode, security, sessions, users } from '@vrata/contract'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingParty, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { post, SCOPE, type ThirdParty, userinfo } from '../../../test/third-party.ts'
import { pruneIssuer } from '../prune.ts'

/** RFC 8628, with openid-client as the device. */
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
let app: ThirdParty
let device: client.Configuration

beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
  app = await deviceApp('Televizor')
  device = await relyingParty(server, app.client_id, undefined, client.None())
})
afterAll(() => server.close())

/** A client without a redirect URI, which a device does not need. */
async function deviceApp(name: string): Promise<ThirdParty> {
  const created = await ana.call(clients.createClient, { name, type: 'native' })
  if (!created.ok) throw new Error(created.problem.code)
  return { client_id: created.data.client_id, client_secret: null }
}

const begin = (scope: string = SCOPE) => client.initiateDeviceAuthorization(device, { scope })
const open = (person: SignedIn, user_code: string) => person.call(connections.openDeviceCode, { user_code })

async function answer(person: SignedIn, user_code: string, change: object = {}) {
  const opened = await open(person, user_code)
  if (!opened.ok) throw new Error(opened.problem.code)
  const { uid, client_id, scope } = opened.data
  const decision = { client: client_id, uid, scopes: scope.split(' '), ...change }
  return await person.call(connections.submitConsent, decision)
}

/** One token request of the device. */
async function ask({ device_code }: { device_code: string }, by: ThirdParty = app) {
  const asked = await post(server, by, '/token', { grant_type: GRANT, device_code })
  return [asked.statusCode, asked.json().error]
}

const poll = (started: client.DeviceAuthorizationResponse) =>
  client.pollDeviceAuthorizationGrant(device, { ...started, interval: 0.01 } as typeof started)

describe('a device', () => {
  test('signs in a user who types its code and consents', async () => {
    const started = await begin()
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.config.url}/device`,
      verification_uri_complete: `${server.config.url}/device?user_code=${started.user_code}`,
      expires_in: LIFETIMES.device_code,
    })
    const opened = await open(ana, started.user_code.toLowerCase().replace('-', ' '))
    expect(opened).toMatchObject({ ok: true, data: { client_id: app.client_id, scope: SCOPE } })
    const uid = opened.ok ? opened.data.uid : ''
    const asked = await ana.call(connections.getConsent, { client: app.client_id, uid })
    expect(asked).toMatchObject({
      data: { client: { name: 'Televizor' }, device: { ip: expect.any(String), asked_at: expect.any(String) } },
    })
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    expect(await answer(ana, started.user_code)).toMatchObject({ data: { redirect_to: '/device?done=allowed' } })

    const tokens = await poll(started)
    expect(tokens.claims()).toMatchObject({ sub: ana.user.id, aud: app.client_id, amr: ['pwd'] })
    expect(tokens.scope).toBe(SCOPE)
    expect((await client.fetchUserInfo(device, tokens.access_token, ana.user.id)).email).toBe(people.ana.email)
    const renewed = await client.refreshTokenGrant(device, tokens.refresh_token as string)
    expect((await userinfo(server, renewed.access_token)).statusCode).toBe(200)
  })

  test('its sign-in is recorded in the activity', async () => {
    const types = await server.store.read
      .selectFrom('activities')
      .select('type')
      .where('client_id', '=', app.client_id)
      .execute()
    expect(types.map(({ type }) => type).sort()).toEqual(['GRANTED_SCOPES_TO_APP', 'LOGGED_IN_TO_APP'])
  })

  test('gets slow_down, and may continue after the interval', async () => {
    const started = await begin()
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    expect(await ask(started)).toEqual([400, 'slow_down'])
    server.clock.advance(5)
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
  })

  test('gets access_denied when the user denies, once', async () => {
    const started = await begin()
    expect(await answer(bor, started.user_code, { deny: true, scopes: [] })).toMatchObject({
      data: { redirect_to: '/device?done=denied' },
    })
    await expect(poll(started)).rejects.toMatchObject({ error: 'access_denied' })
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
  })

  test('cannot redeem its code twice', async () => {
    const started = await begin()
    await answer(ana, started.user_code)
    await poll(started)
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
  })

  test('gets tokens once with parallel requests', async () => {
    const started = await begin()
    await answer(ana, started.user_code)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(started)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, error]) => error === 'invalid_grant')).toHaveLength(19)
  })

  test('cannot be impersonated: another client gets invalid_grant for its code, and does not slow it down', async () => {
    const other = await deviceApp('Radio')
    const started = await begin()
    expect(await ask(started, other)).toEqual([400, 'invalid_grant'])
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    await answer(ana, started.user_code)
    expect(await ask(started, other)).toEqual([400, 'invalid_grant'])
    expect((await poll(started)).access_token).toBeTruthy()
  })

  test('cannot request other scopes than its client, and requests `openid` by default', async () => {
    for (const scope of ['openid offline_access', 'nothing.like.this'])
      await expect(begin(scope), scope).rejects.toMatchObject({ error: 'invalid_scope' })
    const beside = await begin('openid nothing.like.this')
    expect(await open(ana, beside.user_code)).toMatchObject({ data: { scope: 'openid' } })
    const { user_code } = await client.initiateDeviceAuthorization(device, {})
    expect(await open(ana, user_code)).toMatchObject({ data: { scope: 'openid' } })
  })

  test('belongs to a native client: a web app or a service gets no code', async () => {
    for (const other of [await organization.app({ name: 'Stran' }), await organization.app({ type: 'service' })]) {
      const rejected = await post(server, other, '/device_authorization', { scope: 'openid' })
      expect([rejected.statusCode, rejected.json().error]).toEqual([400, 'unauthorized_client'])
    }
  })

  test('gets no page of oidc-provider', async () => {
    const { statusCode, headers } = await server.app.inject({ method: 'POST', url: '/device', payload: 'user_code=X' })
    expect(statusCode).toBe(404)
    expect(headers['content-type']).not.toContain('html')
  })
})

describe('the user', () => {
  test('only the first account that opened the code can decide, while signed in', async () => {
    const race = async () => {
      const { user_code } = await begin()
      const [first, second] = await Promise.all([open(ana, user_code), open(bor, user_code)])
      expect([first.ok, second.ok].sort()).toEqual([false, true])
      return { user_code, first }
    }
    for (let round = 0; round < 4; round += 1) await race()
    const { user_code, first } = await race()
    const [winner, loser] = first.ok ? [ana, bor] : [bor, ana]
    expect(await open(loser, user_code)).toMatchObject({ problem: { code: 'expired_code' } })
    const uid = readUserCode(user_code)
    const decision = { client: app.client_id, uid, scopes: ['openid'] }
    expect(await loser.call(connections.submitConsent, decision)).toMatchObject({ problem: { code: 'not_found' } })
    expect(await loser.call(connections.getConsent, decision as never)).toMatchObject({
      problem: { code: 'not_found' },
    })
    expect((await winner.call(connections.submitConsent, decision)).ok).toBe(true)
  })

  test('decides once, also in parallel', async () => {
    const started = await begin()
    const opened = await open(ana, started.user_code)
    if (!opened.ok) throw new Error(opened.problem.code)
    const say = (change: object) =>
      ana.call(connections.submitConsent, {
        client: app.client_id,
        uid: opened.data.uid,
        scopes: ['openid'],
        ...change,
      })
    const decision = await Promise.all([say({}), say({ deny: true, scopes: [] })])
    expect(decision.map(({ ok }) => ok).sort()).toEqual([false, true])
    expect(await open(ana, started.user_code)).toMatchObject({ problem: { code: 'expired_code' } })
    const [status] = await ask(started)
    expect(status).toBe(decision[0].ok ? 200 : 400)
  })

  test.each([
    ['allowed', { scopes: ['openid'] }],
    ['denied', { scopes: [], deny: true }],
  ])('who did not get the answer to the decision sends it again: %s', async (done, decision) => {
    const started = await begin('openid')
    const opened = good(await open(ana, started.user_code))
    const say = (change: object, person = ana) =>
      person.call(connections.submitConsent, { client: app.client_id, uid: opened.uid, scopes: [], ...change })
    const other = done === 'allowed' ? { deny: true } : { scopes: ['openid'] }
    const answered = { ok: true, data: { redirect_to: `/device?done=${done}` } }
    const refused = { problem: { code: 'not_found' } }
    for (const again of await Promise.all(Array.from({ length: 8 }, () => say(decision))))
      expect(again).toMatchObject(answered)
    expect(await say(other)).toMatchObject(refused)
    expect((await ask(started))[0]).toBe(done === 'allowed' ? 200 : 400)
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
    // The device has collected it.
    expect(await say(decision)).toMatchObject(answered)
    expect(await say(other)).toMatchObject(refused)
    expect(await say(decision, bor)).toMatchObject(refused)
    expect(await say(decision, await server.as(people.ana))).toMatchObject(refused)
  })

  test.each([
    ['allowed', { scopes: ['openid'] }],
    ['denied', { scopes: [], deny: true }],
  ] as const)(
    'whose second answer meets a device that collects the first is answered, too: %s',
    async (done, decision) => {
      const started = await begin('openid')
      const { uid } = good(await open(ana, started.user_code))
      const say = { client: app.client_id, uid, ...decision, scopes: [...decision.scopes] }
      expect(await ana.call(connections.submitConsent, say)).toMatchObject({ ok: true })
      await ask(started)
      // The second answer has found the request open, and records the decision now.
      const { id: user_id, session_id } = ana.user
      const finish = (answer: 'allowed' | 'denied') =>
        server.deps.transaction((deps) => deps.interactions.finish(deps, { uid, user_id, session_id }, answer))
      expect(await finish(done)).toEqual({ redirect_to: `/device?done=${done}` })
      await expect(finish(done === 'allowed' ? 'denied' : 'allowed')).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  test('whose session has ended before the decision cannot decide; the next one can', async () => {
    const leaving = await server.as(people.bor)
    const started = await begin()
    const opened = await open(leaving, started.user_code)
    await leaving.call(sessions.logout, {})
    const decision = { client: app.client_id, uid: opened.ok ? opened.data.uid : '', scopes: ['openid'] }
    expect(await leaving.call(connections.submitConsent, decision)).toMatchObject({
      problem: { code: 'unauthenticated' },
    })
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    await answer(ana, started.user_code)
    expect((await poll(started)).claims()?.sub).toBe(ana.user.id)
  })

  test('an approval is void after the user has signed out or unlinked the client', async () => {
    const leaving = await server.as(people.bor)
    const started = await begin()
    await answer(leaving, started.user_code)
    await leaving.call(sessions.logout, {})
    expect(await ask(started)).toEqual([400, 'access_denied'])

    const again = await begin()
    await answer(bor, again.user_code)
    await bor.call(connections.removeConnection, { client: app.client_id })
    expect(await ask(again)).toEqual([400, 'access_denied'])
  })

  test('revokes the tokens of the device by ending the session of the consent', async () => {
    const here = await server.as(people.bor)
    const started = await begin('openid')
    await answer(here, started.user_code)
    const { access_token } = await poll(started)
    expect((await userinfo(server, access_token)).statusCode).toBe(200)
    await here.call(sessions.logout, {})
    expect((await userinfo(server, access_token)).statusCode).toBe(401)
  })

  test('that was approved gets no tokens after the password has changed or the app was unlinked', async () => {
    const here = await server.as(people.bor)
    const changed = await begin('openid')
    await answer(here, changed.user_code)
    const new_password = 'drugacna-gora-17'
    for (const [current_password, next] of [
      [people.bor.password, new_password],
      [new_password, people.bor.password],
    ] as const)
      expect(await here.call(security.changePassword, { current_password, new_password: next })).toMatchObject({
        ok: true,
      })
    expect(await ask(changed)).toEqual([400, 'access_denied'])

    const unlinked = await begin('openid')
    await answer(here, unlinked.user_code)
    await here.call(connections.removeConnection, { client: app.client_id })
    await here.call(connections.submitConsent, { client: app.client_id, scopes: ['openid'] })
    expect(await ask(unlinked)).toEqual([400, 'access_denied'])
  })

  test('that was approved gets no tokens after the user was blocked, also when they are unblocked', async () => {
    const started = await begin('openid')
    await answer(await server.as(people.bor), started.user_code)
    for (const blocked of [true, false])
      expect(await ana.call(users.setUserBlocked, { id: bor.user.id, blocked })).toMatchObject({ ok: true })
    expect(await ask(started)).toEqual([400, 'access_denied'])
  })

  test('whose password changes while the device collects its tokens gives it none', async () => {
    const here = await server.as(people.bor)
    const started = await begin('openid')
    await answer(here, started.user_code)
    const new_password = 'drugacna-gora-17'
    // The device code has been read, and nothing is written.
    const { transaction } = server.deps
    server.deps.transaction = (async (...given: Parameters<typeof transaction>) => {
      server.deps.transaction = transaction
      const change = { current_password: people.bor.password, new_password }
      expect(await here.call(security.changePassword, change)).toMatchObject({ ok: true })
      return await transaction(...given)
    }) as typeof transaction
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
    expect(server.deps.transaction).toBe(transaction)
    const back = { current_password: new_password, new_password: people.bor.password }
    expect(await here.call(security.changePassword, back)).toMatchObject({ ok: true })
  })

  test('has to have signed in with two factors where the device requires it', async () => {
    const essential = async (value: string) => {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, value } } })
      const started = await client.initiateDeviceAuthorization(device, { scope: 'openid', claims })
      await answer(ana, started.user_code)
      return started
    }
    expect(await ask(await essential('2'))).toEqual([400, 'unmet_authentication_requirements'])
    expect((await poll(await essential('1'))).claims()).toMatchObject({ acr: '1' })
  })

  test('has to be the one whom the device requires by sub or an ID token', async () => {
    const answered = async (person: SignedIn, parameters: Record<string, string> = {}) => {
      const started = await client.initiateDeviceAuthorization(device, { scope: 'openid', ...parameters })
      await answer(person, started.user_code)
      return started
    }
    const sub = (value: string) => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) })
    const { id_token = '' } = await poll(await answered(ana))
    const other = await server.as(people.bor)
    for (const ofAna of [sub(ana.user.id), { id_token_hint: id_token }]) {
      expect(await ask(await answered(other, ofAna))).toEqual([400, 'access_denied'])
      expect((await poll(await answered(ana, ofAna))).claims()).toMatchObject({ sub: ana.user.id })
    }
    // No client is both.
    for (const person of [ana, other])
      expect(await ask(await answered(person, { id_token_hint: id_token, ...sub(bor.user.id) }))).toEqual([
        400,
        'access_denied',
      ])
  })

  test('guesses are throttled, and a right code resets the count', async () => {
    const cvetka = await server.as(people.cvetka)
    const guess = () => open(cvetka, 'BCDF-BCDF')
    for (let wrong = 0; wrong < 9; wrong += 1) expect(await guess()).toMatchObject({ problem: { code: 'not_found' } })
    const { user_code } = await begin()
    expect((await open(cvetka, user_code)).ok).toBe(true)
    for (let wrong = 0; wrong < 10; wrong += 1) await guess()
    expect(await open(cvetka, user_code)).toMatchObject({ problem: { code: 'too_many_requests' } })
    const elsewhere = await server.as(people.cvetka)
    expect(await open(elsewhere, user_code)).toMatchObject({ problem: { code: 'too_many_requests' } })
    expect(await cvetka.call(sessions.listSessions, {})).toMatchObject({ ok: true })
  })
})

describe('a user code', () => {
  test('is refused to an account with an unconfirmed address, right or wrong (decision 0039)', async () => {
    const drago = await server.as(people.drago)
    const confirm = (email_verified_at: string | null) =>
      server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', drago.user.id).execute()
    await confirm(null)
    const { user_code } = await begin()
    const refused = { http: 403, problem: { code: 'email_not_verified' } }
    expect(await open(drago, 'BCDF-BCDF')).toMatchObject(refused)
    expect(await open(drago, user_code)).toMatchObject(refused)
    // The code was not bound to the account.
    expect(await open(ana, user_code)).toMatchObject({ ok: true })
    await confirm(server.clock.now().toISOString())
    expect(await open(drago, (await begin()).user_code)).toMatchObject({ ok: true })
  })

  test('is accepted by the device call alone, which binds it to the session', async () => {
    const uid = readUserCode((await begin()).user_code)
    const cvetka = await server.as(people.cvetka)
    for (const guess of [uid, 'BCDFBCDF']) {
      const request = { client: app.client_id, uid: guess, scopes: 'openid' }
      expect(await cvetka.call(connections.getConsent, request)).toMatchObject({ problem: { code: 'not_found' } })
      const decision = { client: app.client_id, uid: guess, scopes: [], deny: true }
      expect(await cvetka.call(connections.submitConsent, decision)).toMatchObject({ problem: { code: 'not_found' } })
      expect(await server.deps.interactions.findClientId(server.store.read, guess)).toBeUndefined()
    }
  })
})

describe('a client', () => {
  test('that was disabled or deleted gets no tokens for pending codes', async () => {
    const ending = await deviceApp('Kiosk')
    const start = async () => (await post(server, ending, '/device_authorization', { scope: 'openid' })).json()
    const [one, two] = [await start(), await start()]
    await answer(ana, one.user_code)
    await ana.call(clients.updateClientInfo, { id: ending.client_id, enabled: false })
    expect(await ask(one, ending)).toEqual([401, 'invalid_client'])
    expect(await open(ana, two.user_code)).toMatchObject({ problem: { code: 'client_disabled' } })
    expect((await post(server, ending, '/device_authorization', {})).statusCode).toBe(401)
    await ana.call(clients.updateClientInfo, { id: ending.client_id, enabled: true })
    await ana.call(clients.deleteClient, { id: ending.client_id, name: 'Kiosk' } as never)
    expect(await ask(one, ending)).toEqual([401, 'invalid_client'])
    expect(await open(ana, two.user_code)).toMatchObject({ problem: { code: 'not_found' } })
  })

  test('that was disabled gets no tokens for approved codes when it is enabled again', async () => {
    const switched = await deviceApp('Stikalo')
    const started = (await post(server, switched, '/device_authorization', { scope: 'openid' })).json()
    await answer(ana, started.user_code)
    for (const enabled of [false, true])
      expect(await ana.call(clients.updateClientInfo, { id: switched.client_id, enabled })).toMatchObject({ ok: true })
    expect(await ask(started, switched)).toEqual([400, 'access_denied'])
  })

  test('may collect the tokens after a request that was refused', async () => {
    const started = await begin('openid')
    await answer(ana, started.user_code)
    const form = { grant_type: GRANT, device_code: started.device_code }
    const refused = await post(server, app, '/token', { ...form, resource: 'https://api.unknown.example' })
    expect(refused.json()).toMatchObject({ error: 'invalid_target' })
    expect((await poll(started)).access_token).toBeTruthy()
  })

  test('has no device code in plain in the database', async () => {
    const started = await begin()
    const rows = JSON.stringify(await server.store.read.selectFrom('provider_models').selectAll().execute())
    expect(rows).not.toContain(started.device_code)
    expect(rows).not.toContain(started.user_code)
    expect(rows).not.toContain(readUserCode(started.user_code))
  })
})

describe('after ten minutes', () => {
  test('a device gets expired_token, also after expired rows were deleted', async () => {
    const started = await begin()
    server.clock.advance(LIFETIMES.device_code + 1)
    await pruneIssuer(server.deps)
    const late = await server.as(people.bor)
    expect(await ask(started)).toEqual([400, 'expired_token'])
    expect(await open(late, started.user_code)).toMatchObject({ problem: { code: 'expired_code' } })
    server.clock.advance(LIFETIMES.device_code)
    await pruneIssuer(server.deps)
    expect(await open(await server.as(people.bor), started.user_code)).toMatchObject({ problem: { code: 'not_found' } })
  })
})

test('devices that collect their tokens while their user signs out cause no deadlock', async () => {
  for (let round = 0; round < 6; round += 1) {
    const person = await server.as(people.cvetka)
    const started: client.DeviceAuthorizationResponse[] = []
    for (let i = 0; i < 6; i += 1) started.push(await begin())
    for (const { user_code } of started) await answer(person, user_code)
    const [ended, ...asked] = await Promise.all([
      person.call(sessions.logout, {}),
      // Started one after the other, so that some overlap with it.
      ...started.map(async (one, i) => {
        await setTimeout(2 * i)
        return await ask(one)
      }),
    ])
    expect(ended).toMatchObject({ ok: true })
    for (const [status, error] of asked) if (status !== 200) expect(error).toMatch(/^(access_denied|invalid_grant)$/)
    expect(server.deadlocks()).toEqual([])
  }
})

import { auth, clients, connections, deviceCodes, LIFETIMES, readUserCode } from '@vrata/contract'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { House, SignedIn } from '../../test/house.ts'
import { openListening, relyingParty } from '../../test/listening.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { post, SCOPE, type ThirdParty, userinfo } from '../../test/third-party.ts'
import { pruneIssuer } from './prune.ts'

/** RFC 8628, with somebody else's library as the device. */
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

let house: House
let ana: SignedIn
let bor: SignedIn
let organisation: Organisation
let app: ThirdParty
let device: client.Configuration

beforeAll(async () => {
  house = await openListening()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  organisation = await openOrganisation(house, ana)
  app = await deviceApp('Televizor')
  device = await relyingParty(house, app.client_id, undefined, client.None())
})
afterAll(() => house.close())

/** As its developers register it: without a redirect URI, which a device has no use for. */
async function deviceApp(name: string): Promise<ThirdParty> {
  const made = await ana.call(clients.createClient, { name, type: 'native' })
  if (!made.ok) throw new Error(made.problem.code)
  return { client_id: made.data.client_id, client_secret: null }
}

const begin = (scope: string = SCOPE) => client.initiateDeviceAuthorization(device, { scope })
const open = (person: SignedIn, user_code: string) => person.call(deviceCodes.openDeviceCode, { user_code })

async function answer(person: SignedIn, user_code: string, change: object = {}) {
  const opened = await open(person, user_code)
  if (!opened.ok) throw new Error(opened.problem.code)
  const { uid, client_id, scope } = opened.data
  const said = { client: client_id, uid, scopes: scope.split(' '), ...change }
  return await person.call(connections.putConsent, said)
}

/** One question of the device, as it stands on the wire. */
async function ask({ device_code }: { device_code: string }, by: ThirdParty = app) {
  const asked = await post(house, by, '/token', { grant_type: GRANT, device_code })
  return [asked.statusCode, asked.json().error]
}

const poll = (started: client.DeviceAuthorizationResponse) =>
  client.pollDeviceAuthorizationGrant(device, { ...started, interval: 0.01 } as typeof started)

describe('a device', () => {
  test('signs somebody in who types its code and allows it', async () => {
    const started = await begin()
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${house.config.url}/device`,
      verification_uri_complete: `${house.config.url}/device?user_code=${started.user_code}`,
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
    expect((await userinfo(house, renewed.access_token)).statusCode).toBe(200)
  })

  test('and its sign-in stands in the activity', async () => {
    const types = await house.store.read
      .selectFrom('activities')
      .select('type')
      .where('client_id', '=', app.client_id)
      .execute()
    expect(types.map(({ type }) => type).sort()).toEqual(['GRANTED_SCOPES_TO_APP', 'LOGGED_IN_TO_APP'])
  })

  test('is told to slow down, and may go on once it has', async () => {
    const started = await begin()
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    expect(await ask(started)).toEqual([400, 'slow_down'])
    house.clock.advance(5)
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
  })

  test('hears that the person said no, once', async () => {
    const started = await begin()
    expect(await answer(bor, started.user_code, { deny: true, scopes: [] })).toMatchObject({
      data: { redirect_to: '/device?done=denied' },
    })
    await expect(poll(started)).rejects.toMatchObject({ error: 'access_denied' })
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
  })

  test('gets nothing twice', async () => {
    const started = await begin()
    await answer(ana, started.user_code)
    await poll(started)
    expect(await ask(started)).toEqual([400, 'invalid_grant'])
  })

  test('gets tokens once, however many of it ask at the same moment', async () => {
    const started = await begin()
    await answer(ana, started.user_code)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(started)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, error]) => error === 'invalid_grant')).toHaveLength(19)
  })

  test('is no other app: another one gets nothing by its code, and does not slow it down', async () => {
    const other = await deviceApp('Radio')
    const started = await begin()
    expect(await ask(started, other)).toEqual([400, 'invalid_grant'])
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    await answer(ana, started.user_code)
    expect(await ask(started, other)).toEqual([400, 'invalid_grant'])
    expect((await poll(started)).access_token).toBeTruthy()
  })

  test('asks for nothing that its app may not ask for, and for `openid` when it names nothing', async () => {
    await expect(begin('openid offline_access')).rejects.toMatchObject({ error: 'invalid_scope' })
    const { user_code } = await client.initiateDeviceAuthorization(device, {})
    expect(await open(ana, user_code)).toMatchObject({ data: { scope: 'openid' } })
  })

  test('is something that people install: a web app or a service has no such code', async () => {
    for (const other of [await organisation.app({ name: 'Stran' }), await organisation.app({ type: 'service' })]) {
      const refused = await post(house, other, '/device_authorization', { scope: 'openid' })
      expect([refused.statusCode, refused.json().error]).toEqual([400, 'unauthorized_client'])
    }
  })

  test('is shown no page of the engine', async () => {
    const { statusCode, headers } = await house.app.inject({ method: 'POST', url: '/device', payload: 'user_code=X' })
    expect(statusCode).toBe(404)
    expect(headers['content-type']).not.toContain('html')
  })
})

describe('the person', () => {
  test('alone answers for whom the code was opened first, while they are signed in', async () => {
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
    const said = { client: app.client_id, uid, scopes: ['openid'] }
    expect(await loser.call(connections.putConsent, said)).toMatchObject({ problem: { code: 'not_found' } })
    expect(await loser.call(connections.getConsent, said as never)).toMatchObject({ problem: { code: 'not_found' } })
    expect((await winner.call(connections.putConsent, said)).ok).toBe(true)
  })

  test('answers once, of two presses at once too', async () => {
    const started = await begin()
    const opened = await open(ana, started.user_code)
    if (!opened.ok) throw new Error(opened.problem.code)
    const say = (change: object) =>
      ana.call(connections.putConsent, { client: app.client_id, uid: opened.data.uid, scopes: ['openid'], ...change })
    const said = await Promise.all([say({}), say({ deny: true, scopes: [] })])
    expect(said.map(({ ok }) => ok).sort()).toEqual([false, true])
    expect(await open(ana, started.user_code)).toMatchObject({ problem: { code: 'expired_code' } })
    const [status] = await ask(started)
    expect(status).toBe(said[0].ok ? 200 : 400)
  })

  test('whose session ended before the answer has answered nothing; who comes next may', async () => {
    const leaving = await house.as(people.bor)
    const started = await begin()
    const opened = await open(leaving, started.user_code)
    await leaving.call(auth.logout, {})
    const said = { client: app.client_id, uid: opened.ok ? opened.data.uid : '', scopes: ['openid'] }
    expect(await leaving.call(connections.putConsent, said)).toMatchObject({ problem: { code: 'unauthenticated' } })
    expect(await ask(started)).toEqual([400, 'authorization_pending'])
    await answer(ana, started.user_code)
    expect((await poll(started)).claims()?.sub).toBe(ana.user.id)
  })

  test('who has signed out, or unlinked the app, since then lets no device in', async () => {
    const leaving = await house.as(people.bor)
    const started = await begin()
    await answer(leaving, started.user_code)
    await leaving.call(auth.logout, {})
    expect(await ask(started)).toEqual([400, 'access_denied'])

    const again = await begin()
    await answer(bor, again.user_code)
    await bor.call(connections.removeConnection, { client: app.client_id })
    expect(await ask(again)).toEqual([400, 'access_denied'])
  })

  test('ends what the device has by ending the session in which they allowed it', async () => {
    const here = await house.as(people.bor)
    const started = await begin('openid')
    await answer(here, started.user_code)
    const { access_token } = await poll(started)
    expect((await userinfo(house, access_token)).statusCode).toBe(200)
    await here.call(auth.logout, {})
    expect((await userinfo(house, access_token)).statusCode).toBe(401)
  })

  test('who guesses is slowed down, and a right code forgives', async () => {
    const cvetka = await house.as(people.cvetka)
    const guess = () => open(cvetka, 'BCDF-BCDF')
    for (let wrong = 0; wrong < 9; wrong += 1) expect(await guess()).toMatchObject({ problem: { code: 'not_found' } })
    const { user_code } = await begin()
    expect((await open(cvetka, user_code)).ok).toBe(true)
    for (let wrong = 0; wrong < 10; wrong += 1) await guess()
    expect(await open(cvetka, user_code)).toMatchObject({ problem: { code: 'too_many_requests' } })
    const elsewhere = await house.as(people.cvetka)
    expect(await open(elsewhere, user_code)).toMatchObject({ problem: { code: 'too_many_requests' } })
    expect(await cvetka.call(auth.listSessions, {})).toMatchObject({ ok: true })
  })
})

describe('an app', () => {
  test('that was switched off or deleted gets nothing by codes that wait', async () => {
    const ending = await deviceApp('Kiosk')
    const start = async () => (await post(house, ending, '/device_authorization', { scope: 'openid' })).json()
    const [one, two] = [await start(), await start()]
    await answer(ana, one.user_code)
    await ana.call(clients.updateClientInfo, { id: ending.client_id, enabled: false })
    expect(await ask(one, ending)).toEqual([401, 'invalid_client'])
    expect(await open(ana, two.user_code)).toMatchObject({ problem: { code: 'client_disabled' } })
    expect((await post(house, ending, '/device_authorization', {})).statusCode).toBe(401)
    await ana.call(clients.updateClientInfo, { id: ending.client_id, enabled: true })
    await ana.call(clients.deleteClient, { id: ending.client_id, name: 'Kiosk' } as never)
    expect(await ask(one, ending)).toEqual([401, 'invalid_client'])
    expect(await open(ana, two.user_code)).toMatchObject({ problem: { code: 'not_found' } })
  })

  test('finds no code of a device in the tables', async () => {
    const started = await begin()
    const rows = JSON.stringify(await house.store.read.selectFrom('oidc_temp').selectAll().execute())
    expect(rows).not.toContain(started.device_code)
    expect(rows).not.toContain(started.user_code)
    expect(rows).not.toContain(readUserCode(started.user_code))
  })
})

describe('after ten minutes', () => {
  test('a device hears that its code has expired, also after the table was swept', async () => {
    const started = await begin()
    house.clock.advance(LIFETIMES.device_code + 1)
    await pruneIssuer(house.deps)
    const late = await house.as(people.bor)
    expect(await ask(started)).toEqual([400, 'expired_token'])
    expect(await open(late, started.user_code)).toMatchObject({ problem: { code: 'expired_code' } })
    house.clock.advance(LIFETIMES.device_code)
    await pruneIssuer(house.deps)
    expect(await open(await house.as(people.bor), started.user_code)).toMatchObject({ problem: { code: 'not_found' } })
  })
})

import { Problem } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { bindDeps, type OpenDeps, type Outside } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { CookieJar } from '../../edge/session-cookie.ts'
import type { PendingRequest } from '../../ports/pending-requests.ts'
import { consent } from './consent.ts'
import { decide } from './decide.ts'
import { connectionOf } from './door.ts'

/** Consent about an authorization request that waits; the engine's part of it is played by a list. */
let house: House
let bor: SignedIn
let client: string
let waiting: PendingRequest[]
let deps: OpenDeps
beforeAll(async () => {
  house = await openHouse()
  const ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  client = (await (await openOrganisation(house, ana)).app()).client_id
  const requests: Outside['requests'] = {
    find: async (_, uid) => waiting.find((request) => request.uid === uid),
    openDevice: async () => 'unknown',
    finish: async (_, { uid }, decision) => `https://vrata.example/authorize/${uid}?${decision}`,
  }
  deps = bindDeps({ ...house.deps, requests }, house.store, {})
})
beforeEach(async () => {
  const redirect_host = 'jadrolet.example'
  const session_id = bor.user.session_id
  waiting = [{ uid: 'here', client_id: client, session_id, scopes: ['openid', 'email'], redirect_host, device: null }]
  await house.store.db.deleteFrom('connections').execute()
})
afterAll(() => house?.close())

function borHere(): Person {
  return {
    request_id: 'request',
    ip: '127.0.0.1',
    os: null,
    browser: null,
    locale: 'en-US',
    cookies: new CookieJar(house.config, undefined),
    user_id: bor.user.id,
    session_id: bor.user.session_id,
    developer_id: null,
    vouched: false,
    authenticated_at: house.clock.now().toISOString(),
  }
}

type Answer = { scopes: string[]; uid?: string; deny?: boolean }
const answer = (input: Answer, actor = borHere()) =>
  deps.transaction((open) => decide(open, actor, { client, ...input }))
const code = (promise: Promise<unknown>) => promise.catch((error) => (error instanceof Problem ? error.code : error))
const allowed = async () => (await connectionOf(house.store.read, bor.user.id, client))?.scopes

test('§2 the screen shows what the request asks for, and where it leads', async () => {
  const shown = await consent(deps, borHere(), { client, uid: 'here', scopes: '' })
  expect(shown.scopes.map(({ key }) => key)).toEqual(['openid', 'email'])
  expect(shown.redirect_host).toBe('jadrolet.example')
})

test('§4 allowing goes on with the request; optional scopes may be left out', async () => {
  expect(await answer({ scopes: ['openid'], uid: 'here' })).toEqual({
    scopes: ['openid'],
    redirect_to: 'https://vrata.example/authorize/here?allowed',
  })
  expect(await allowed()).toEqual(['openid'])
})

test('§4 denying goes on, too, and allows nothing', async () => {
  expect(await answer({ scopes: ['openid'], uid: 'here', deny: true })).toEqual({
    scopes: [],
    redirect_to: 'https://vrata.example/authorize/here?denied',
  })
  expect(await allowed()).toBeUndefined()
})

test('§4 never more than the request asks for, though the app may ask for it', async () => {
  expect(await code(answer({ scopes: ['openid', 'profile'], uid: 'here' }))).toBe('unknown_scope')
  expect(await code(consent(deps, borHere(), { client, uid: 'here', scopes: 'openid profile' }))).toBe('unknown_scope')
  expect(await allowed()).toBeUndefined()
})

test('§4 openid cannot be left out, unless it was allowed before', async () => {
  expect(await code(answer({ scopes: ['email'], uid: 'here' }))).toBe('invalid_request')
  expect(await allowed()).toBeUndefined()
  await answer({ scopes: ['openid'] })
  expect(await answer({ scopes: [], uid: 'here' })).toMatchObject({ scopes: ['openid'] })
})

test.each([
  ['of another session of the same person', { session_id: 'another-session' }],
  ['that nobody has signed in for', { session_id: null }],
  ['about another app', { client_id: 'vrt_other' }],
])('§4 a request %s does not exist', async (_, difference) => {
  Object.assign(waiting[0] ?? {}, difference)
  expect(await code(answer({ scopes: ['openid'], uid: 'here' }))).toBe('not_found')
  expect(await code(answer({ scopes: [], uid: 'here', deny: true }))).toBe('not_found')
  expect(await code(consent(deps, borHere(), { client, uid: 'here', scopes: '' }))).toBe('not_found')
  expect(await allowed()).toBeUndefined()
})

test('when the engine cannot go on, nothing was allowed', async () => {
  const finish = () => Promise.reject(new Error('the request has just ended'))
  const broken: OpenDeps = bindDeps({ ...deps, requests: { ...deps.requests, finish } }, house.store, {})
  await expect(
    broken.transaction((open) => decide(open, borHere(), { client, scopes: ['openid'], uid: 'here' })),
  ).rejects.toThrow('has just ended')
  expect(await allowed()).toBeUndefined()
})

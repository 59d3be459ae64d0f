import { Problem } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import type { AppDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { CookieJar } from '../../http/cookies.ts'
import { bindDeps } from '../../listeners.ts'
import type { Interaction } from '../extension-points.ts'
import { getConsent } from './consent/consent.ts'
import { submitConsent } from './consent/submit-consent.ts'
import { findConnection } from './public.ts'

/** Consent to an authorization request; a list replaces the interactions of the issuer. */
let server: TestServer
let bor: SignedIn
let client: string
let interactions: Interaction[]
let deps: AppDeps
beforeAll(async () => {
  server = await startTestServer()
  const ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  client = (await (await createOrganization(server, ana)).app()).client_id
  const requests: AppDeps['interactions'] = {
    find: async (_, uid, { session_id }) =>
      interactions.find((request) => request.uid === uid && request.session_id === session_id),
    listRequests: async () => [],
    findClientId: async () => undefined,
    openDevice: async () => 'unknown',
    finish: async (_, { uid }, decision) => ({ redirect_to: `https://vrata.example/authorize/${uid}?${decision}` }),
    findDecision: async () => undefined,
  }
  deps = bindDeps({ ...server.deps, interactions: requests }, server.store, {}, {} as never)
})
beforeEach(async () => {
  const redirect_host = 'jadrolet.example'
  const session_id = bor.user.session_id
  interactions = [
    {
      uid: 'here',
      client_id: client,
      session_id,
      scopes: ['openid', 'email'],
      redirect_host,
      device: null,
      request: null,
    },
  ]
  await server.store.db.deleteFrom('connections').execute()
})
afterAll(() => server?.close())

function borActor(): UserActor {
  return {
    request_id: 'request',
    ip: '127.0.0.1',
    os: null,
    browser: null,
    locale: 'en-US',
    cookies: new CookieJar(server.config, undefined),
    user_id: bor.user.id,
    session_id: bor.user.session_id,
    developer_id: null,
    vouched: false,
    next_step: null,
    authenticated_at: server.clock.now().toISOString(),
  }
}

type Answer = { scopes: string[]; uid?: string; deny?: boolean }
const answer = (input: Answer, actor = borActor()) =>
  deps.transaction((open) => submitConsent(open, actor, { client, ...input }))
const code = (promise: Promise<unknown>) => promise.catch((error) => (error instanceof Problem ? error.code : error))
const allowed = async () => (await findConnection(server.store.read, bor.user.id, client))?.scopes

test('shows the requested scopes and the host of the redirect URI', async () => {
  const shown = await getConsent(deps, borActor(), { client, uid: 'here', scopes: '' })
  expect(shown.scopes.map(({ key }) => key)).toEqual(['openid', 'email'])
  expect(shown.redirect_host).toBe('jadrolet.example')
})

test('continues the request after a grant; optional scopes may be declined', async () => {
  expect(await answer({ scopes: ['openid'], uid: 'here' })).toEqual({
    scopes: ['openid'],
    redirect_to: 'https://vrata.example/authorize/here?allowed',
  })
  expect(await allowed()).toEqual(['openid'])
})

test('continues the request after a denial and grants nothing', async () => {
  expect(await answer({ scopes: ['openid'], uid: 'here', deny: true })).toEqual({
    scopes: [],
    redirect_to: 'https://vrata.example/authorize/here?denied',
  })
  expect(await allowed()).toBeUndefined()
})

test('rejects scopes that the request does not contain', async () => {
  expect(await code(answer({ scopes: ['openid', 'profile'], uid: 'here' }))).toBe('unknown_scope')
  expect(await code(getConsent(deps, borActor(), { client, uid: 'here', scopes: 'openid profile' }))).toBe(
    'unknown_scope',
  )
  expect(await allowed()).toBeUndefined()
})

test('requires openid unless it was granted before', async () => {
  expect(await code(answer({ scopes: ['email'], uid: 'here' }))).toBe('invalid_request')
  expect(await allowed()).toBeUndefined()
  await answer({ scopes: ['openid'] })
  expect(await answer({ scopes: [], uid: 'here' })).toMatchObject({ scopes: ['openid'] })
})

test.each([
  ['of another session of the same person', { session_id: 'another-session' }],
  ['that nobody has signed in for', { session_id: null }],
  ['about another app', { client_id: 'vrt_other' }],
])('does not find a request %s', async (_, difference) => {
  Object.assign(interactions[0] ?? {}, difference)
  expect(await code(answer({ scopes: ['openid'], uid: 'here' }))).toBe('not_found')
  expect(await code(answer({ scopes: [], uid: 'here', deny: true }))).toBe('not_found')
  expect(await code(getConsent(deps, borActor(), { client, uid: 'here', scopes: '' }))).toBe('not_found')
  expect(await allowed()).toBeUndefined()
})

test('grants nothing when the issuer cannot continue', async () => {
  const finish = () => Promise.reject(new Error('the request has just ended'))
  const broken: AppDeps = bindDeps(
    { ...deps, interactions: { ...deps.interactions, finish } },
    server.store,
    {},
    {} as never,
  )
  await expect(
    broken.transaction((open) => submitConsent(open, borActor(), { client, scopes: ['openid'], uid: 'here' })),
  ).rejects.toThrow('has just ended')
  expect(await allowed()).toBeUndefined()
})

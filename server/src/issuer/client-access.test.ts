import { adminUsers, clientAccess, clientDiagnostics, clients, connections, developers, groups } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperator, type Operator } from '../../test/operator.ts'
import { createOrganization, type Organization } from '../../test/organization.ts'
import { jadrolet, people } from '../../test/people.ts'
import { type RegisteredUser, registerConfirmedUser } from '../../test/registered-user.ts'
import { good } from '../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import {
  allow,
  authorize,
  codeFor,
  follow,
  here,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../test/third-party.ts'

const SCOPE = 'openid email'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** One server answers plain requests natively, the other passes all of them to oidc-provider. */
let node: Record<'native' | 'oidc-provider', TestServer>
let operator: Operator
let owner: RegisteredUser
let organization: Organization
beforeAll(async () => {
  const native = await startTestServer()
  node = { native, 'oidc-provider': await native.secondNode({ VRATA_NATIVE_TOKENS: 'off' }) }
  operator = await createOperator(native, people.ana, 'admin')
  owner = await registerConfirmedUser(native)
  organization = await createOrganization(native, owner, 'Kraški studio')
  for (const key of ['staff', 'guests']) good(await operator.call(groups.createGroup, { key, name: key }))
})
afterAll(async () => {
  await node['oidc-provider'].close()
  await node.native.close()
})

async function createApp(type: 'web' | 'native' | 'service' = 'web'): Promise<ThirdParty> {
  const { client_id, client_secret } = await organization.app({ type })
  good(await owner.call(clients.updateClientInfo, { id: client_id, scopes: SCOPE.split(' ') }))
  if (type === 'web')
    good(await owner.call(clients.updateAdvanced, { id: client_id, backchannel_token_delivery_mode: 'poll' }))
  return { client_id, client_secret, redirect_uri: jadrolet.redirect_uri }
}

const join = (key: string, { user }: RegisteredUser) => operator.call(groups.addGroupMember, { key, user_id: user.id })

/** The same person in a browser of the other server. */
const at = (server: TestServer, person: RegisteredUser): RegisteredUser => {
  const browser = server.browser()
  for (const [name, value] of person.cookies) browser.cookies.set(name, value)
  return { ...person, ...browser }
}

type Rule = Omit<clientAccess.Access, 'groups' | 'people'> & Partial<clientAccess.Access>
/** Access rules by name, and whether each admits the person. */
const RULES: Record<string, (person: RegisteredUser) => Promise<[Rule, boolean]>> = {
  everyone: async () => [{ mode: 'everyone' }, true],
  'groups, a member': async (person) => {
    good(await join('staff', person))
    return [{ mode: 'groups', groups: ['guests', 'staff'] }, true]
  },
  'groups, no member': async (person) => {
    good(await join('staff', person))
    return [{ mode: 'groups', groups: ['guests'] }, false]
  },
  'people, listed': async ({ email }) => [{ mode: 'people', people: [email.toUpperCase()] }, true],
  'people, not listed': async () => [{ mode: 'people', people: ['somebody@example.com'] }, false],
}

/** Everything that a person who has allowed the app holds before the rule is set, and a service that acts for them. */
async function prepare(server: TestServer) {
  const [person, app, service] = [
    await registerConfirmedUser(node.native),
    await createApp(),
    await createApp('service'),
  ]
  await allow(person, app, SCOPE)
  const tokens = await signInTo(server, person, app, { scope: SCOPE })
  const kept = await signInTo(server, person, app, { scope: SCOPE })
  const { form: code } = await codeFor(person, app, { scope: SCOPE })
  const answer = { client: app.client_id, scopes: SCOPE.split(' ') }
  const tv = await createApp('native')
  const device = (await post(server, tv, '/device_authorization', { scope: SCOPE })).json()
  good(await person.call(connections.openDeviceCode, { user_code: device.user_code }))
  const uid = (device.user_code as string).replace('-', '')
  good(await person.call(connections.submitConsent, { ...answer, client: tv.client_id, uid }))
  const started = await post(server, app, '/backchannel_authentication', { scope: SCOPE, login_hint: person.email })
  await server.outbox()
  const [request] = good(await person.call(connections.listRequests))
  good(await person.call(connections.submitConsent, { ...answer, uid: request?.uid ?? '' }))
  return { server, person, app, tv, service, tokens, kept, code, device, ciba: started.json().auth_req_id as string }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const exchange = ({ server, service, tokens }: Prepared) =>
  post(server, service, '/token', {
    grant_type: clients.TOKEN_EXCHANGE_GRANT,
    subject_token: tokens.access_token,
    subject_token_type: TYPE,
  })

/** Each way to get or use a token: whether it works, or the error that goes to the app. */
const WAYS: Record<string, (prepared: Prepared) => Promise<string>> = {
  'silent sign-in': async ({ server, person, app }) => {
    const back = await authorize(at(server, person), app, { scope: SCOPE, prompt: 'none' })
    return back.searchParams.get('error') ?? (back.searchParams.has('code') ? 'works' : 'nothing')
  },
  'sign-in': async ({ server, person, app }) => {
    const browser = at(server, person)
    const back = await authorize(browser, app, { scope: SCOPE })
    if (back.searchParams.has('code')) return 'works'
    const page = await follow(browser, here(back))
    const uid = page.searchParams.get('uid') ?? ''
    const question = { client: app.client_id, uid }
    expect(good(await browser.call(connections.getConsent, question)).access).toBe(false)
    const allowed = await browser.call(connections.submitConsent, { ...question, scopes: SCOPE.split(' ') })
    expect(allowed).toMatchObject({ http: 403, problem: { code: 'no_access' } })
    const denied = good(await browser.call(connections.submitConsent, { ...question, scopes: [], deny: true }))
    browser.cookies.set('vrata_request', uid)
    return (await follow(browser, denied.redirect_to ?? '')).searchParams.get('error') ?? 'nothing'
  },
  'first consent': async ({ app }) => {
    const newcomer = await registerConfirmedUser(node.native)
    const given = await newcomer.call(connections.submitConsent, { client: app.client_id, scopes: SCOPE.split(' ') })
    return given.ok ? 'for everybody' : given.problem.code
  },
  code: async ({ server, app, code }) => outcome(await post(server, app, '/token', code)),
  refresh: async ({ server, app, tokens }) => outcome(await refresh(server, app, tokens.refresh_token)),
  device: async ({ server, tv, device }) =>
    outcome(await post(server, tv, '/token', { grant_type: DEVICE, device_code: device.device_code })),
  ciba: async ({ server, app, ciba }) =>
    outcome(await post(server, app, '/token', { grant_type: clients.CIBA_GRANT, auth_req_id: ciba })),
  exchange: async (prepared) => outcome(await exchange(prepared)),
  userinfo: async ({ server, kept }) =>
    (await userinfo(server, kept.access_token)).statusCode === 200 ? 'works' : '401',
}

function outcome({ statusCode, ...answer }: Awaited<ReturnType<typeof post>>): string {
  return statusCode === 200 ? 'works' : (answer.json().error as string)
}

const REFUSED: Record<keyof typeof WAYS, string> = {
  'silent sign-in': 'access_denied',
  'sign-in': 'access_denied',
  'first consent': 'no_access',
  code: 'invalid_grant',
  refresh: 'invalid_grant',
  device: 'access_denied',
  ciba: 'access_denied',
  exchange: 'invalid_request',
  userinfo: '401',
}

describe.each(['native', 'oidc-provider'] as const)('answered by %s', (which) => {
  test.each(Object.keys(RULES))('%s', async (name) => {
    const prepared = await prepare(node[which])
    const [rule, allowed] = (await RULES[name]?.(prepared.person)) ?? []
    if (!rule) throw new Error(name)
    for (const { client_id: id } of [prepared.app, prepared.tv])
      good(await owner.call(clientAccess.setAccess, { id, ...rule }))
    const seen: Record<string, string> = {}
    // The exchange uses the token that a refresh replaces, so it comes before.
    for (const way of ['exchange', ...Object.keys(WAYS)]) seen[way] ??= (await WAYS[way]?.(prepared)) ?? ''
    const expected = Object.keys(WAYS).map((way) => {
      if (way === 'first consent') return [way, rule.mode === 'everyone' ? 'for everybody' : 'no_access']
      return [way, allowed ? 'works' : REFUSED[way]]
    })
    expect(seen).toEqual(Object.fromEntries(expected))
  })
})

test('the rule of a service decides for whom it exchanges tokens, and ends those that it has', async () => {
  const prepared = await prepare(node.native)
  const { app, service, person, server } = prepared
  const exchanged = (await exchange(prepared)).json().access_token as string
  const id = service.client_id
  good(await owner.call(clientAccess.setAccess, { id, mode: 'people', people: ['somebody@example.com'] }))
  expect((await userinfo(server, exchanged)).statusCode).toBe(401)
  expect(outcome(await exchange(prepared))).toBe('invalid_request')
  expect((await userinfo(server, prepared.tokens.access_token)).statusCode).toBe(200)
  good(await owner.call(clientAccess.setAccess, { id, mode: 'people', people: [person.email] }))
  expect(outcome(await exchange(prepared))).toBe('works')
  expect(await owner.call(clientAccess.setAccess, { id: app.client_id, mode: 'groups' })).toMatchObject({
    http: 400,
    problem: { fields: { groups: 'required' } },
  })
})

test('access that comes back needs no new consent, and ended tokens stay ended', async () => {
  const { server, person, app, tokens } = await prepare(node.native)
  const id = app.client_id
  good(await owner.call(clientAccess.setAccess, { id, mode: 'groups', groups: ['staff'] }))
  expect(outcome(await refresh(server, app, tokens.refresh_token))).toBe('invalid_grant')
  good(await join('staff', person))
  expect(outcome(await refresh(server, app, tokens.refresh_token))).toBe('invalid_grant')
  const { access_token } = await signInTo(server, person, app, { scope: SCOPE })
  // A group that does not open the app changes nothing.
  good(await join('guests', person))
  good(await operator.call(groups.removeGroupMember, { key: 'guests', user_id: person.user.id }))
  expect((await userinfo(server, access_token)).statusCode).toBe(200)
  good(await operator.call(groups.removeGroupMember, { key: 'staff', user_id: person.user.id }))
  expect((await userinfo(node['oidc-provider'], access_token)).statusCode).toBe(401)
  const refused = good(await owner.call(clientDiagnostics.listClientErrors, { id }))
  expect(refused.map(({ reason }) => reason)).toContain('refresh_token')
  await authorize(person, app, { scope: SCOPE, prompt: 'none' })
  const [latest] = good(await owner.call(clientDiagnostics.listClientErrors, { id }))
  expect(latest?.reason).toBe('no_access')
  expect(good(await operator.call(adminUsers.getAdminUser, { id: person.user.id })).groups).toEqual([])
})

test('an unknown group, and a list of another mode, are refused with their field', async () => {
  const { client_id: id } = await createApp()
  const set = (access: Rule) => owner.call(clientAccess.setAccess, { id, ...access })
  expect(await set({ mode: 'groups', groups: ['nothing'] })).toMatchObject({
    problem: { fields: { groups: 'unknown' } },
  })
  expect(await set({ mode: 'everyone', people: ['a@example.com'] })).toMatchObject({
    problem: { fields: { people: 'invalid' } },
  })
  expect(good(await owner.call(clientAccess.getAccess, { id }))).toEqual({ mode: 'everyone', groups: [], people: [] })
})

test('repeating the same rule changes nothing, in whatever order a database has the addresses', async () => {
  const { client_id: id } = await createApp()
  // UTF-8 has the second one first, UTF-16 the first one.
  const addresses = ['😀@example.com', 'ｆ@example.com']
  for (const listed of [addresses, addresses.toReversed()])
    good(await owner.call(clientAccess.setAccess, { id, mode: 'people', people: listed }))
  const changes = await owner.call(developers.listDeveloperActivity, { client_id: id, type: 'CHANGED_APP_ACCESS' })
  expect(good(changes)).toHaveLength(1)
})

test('rules that are set while their groups are deleted wait for each other without a deadlock', async () => {
  const server = node.native
  const { client_id: id } = await createApp()
  const setRule = (keys: string[]) => owner.call(clientAccess.setAccess, { id, mode: 'groups', groups: keys })
  for (let round = 0; round < 10; round += 1) {
    const key = `short-lived-${round}`
    good(await operator.call(groups.createGroup, { key, name: key }))
    good(await setRule(['staff', key]))
    await Promise.all([operator.call(groups.deleteGroup, { key }), setRule(['guests', key])])
  }
  expect(server.deadlocks()).toEqual([])
})

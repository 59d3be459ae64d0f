import {
  type Api,
  account,
  atLeast,
  LEVELS,
  type Level,
  members,
  problemsOf,
  type Route,
  scopes,
} from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, type House, openHouse, type SignedIn } from './house.ts'
import { type Organisation, openOrganisation, switchTo } from './organisation.ts'
import { type PersonData, people, studio } from './people.ts'
import { fileOf, halves } from './pictures.ts'
import { good } from './second-factor.ts'

const PICTURE = await halves('png')

/** What a call may be about besides an app of the organisation. */
type Around = { member: string; invitation: string }

/**
 * Who may do what in an organisation (ASVS 8.2), asked of the real server. What is expected comes from the contract
 * alone. Every call that needs a level has an input here that would succeed, or the first test fails.
 */
const INPUTS: Record<string, (client_id: string, around: Around) => object> = {
  'developers.getDeveloper': () => ({}),
  'developers.updateDeveloper': () => ({ company: 'Kraški studio d.o.o.' }),
  'developers.deleteDeveloper': () => ({ name: studio.name }),
  'developers.setLogo': () => ({ logo: fileOf(PICTURE) }),
  'developers.removeLogo': () => ({}),
  'developers.listDeveloperActivity': () => ({}),
  'members.listMembers': () => ({}),
  'members.inviteMember': () => ({ email: 'nova@example.com' }),
  'members.resendInvitation': (_, { invitation: id }) => ({ id }),
  'members.changeLevel': (_, { member: id }) => ({ id, permission: 'analyst' }),
  'members.removeMember': (_, { invitation: id }) => ({ id }),
  'members.leaveDeveloper': () => ({}),
  'clients.createClient': () => ({ name: 'Burja' }),
  'clients.listClients': () => ({}),
  'clients.getClient': (id) => ({ id }),
  'clients.getClientInfo': (id) => ({ id }),
  'clients.updateClientInfo': (id) => ({ id, description: 'Letalske vozovnice' }),
  'clients.setIcon': (id) => ({ id, icon: fileOf(PICTURE) }),
  'clients.removeIcon': (id) => ({ id }),
  'clients.deleteClient': (id) => ({ id }),
  'clients.getAdvanced': (id) => ({ id }),
  'clients.updateAdvanced': (id) => ({ id, allow_popup: true }),
  'clients.listRedirectUris': (id) => ({ id }),
  'clients.addRedirectUri': (id) => ({ id, redirect_uri: 'https://jadrolet.example/callback' }),
  'clients.removeRedirectUri': (id) => ({ id, redirect_uri: 'http://localhost:4000/callback' }),
  'clients.listOrigins': (id) => ({ id }),
  'clients.addOrigin': (id) => ({ id, origin: 'https://jadrolet.example' }),
  'clients.removeOrigin': (id) => ({ id, origin: 'http://localhost:4000' }),
  'clients.regenerateSecret': (id) => ({ id }),
  'scopes.listScopes': (id) => ({ id }),
  'scopes.putScope': (id) => ({ id, key: scopeOf(id), title: { 'en-US': 'Read' } }),
  'scopes.getScopeUse': (id) => ({ id, key: scopeOf(id) }),
  'scopes.removeScope': (id) => ({ id, key: scopeOf(id) }),
  'scopes.listAskedScopes': (id) => ({ id }),
  'scopes.exploreChildren': () => ({ path: 'root' }),
  'scopes.exploreScopes': () => ({ path: 'root', mode: 'all-children' }),
  'scopes.exploreClients': () => ({ query: 'jadro' }),
  'users.listUsers': () => ({}),
  'users.setUserBlocked': () => ({ id: drago.user.id, blocked: true }),
  'users.exportUsers': () => ({}),
  'quickStart.listQuickStarts': (id) => ({ id }),
  'refusals.listRefusals': (id) => ({ id }),
  'refusals.forgetRefusals': (id) => ({ id }),
  'statistics.clientStatistics': (id) => ({ id, days: 7 }),
  'statistics.developerStatistics': () => ({ days: 7 }),
}

/** A scope that this app defines. */
function scopeOf(client_id: string): string {
  return `${client_id}.flights.read`
}

const isLevel = (needs: Route['needs']): needs is Level => (LEVELS as readonly string[]).includes(needs)
const GUARDED = [...ROUTES].flatMap(([name, { needs }]) => (isLevel(needs) ? [{ name, needs }] : []))
const OTHERS = [...ROUTES].flatMap(([name, route]) =>
  isLevel(route.needs) ? [] : [{ name, needs: route.needs, route }],
)

let house: House
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let drago: SignedIn
let asked = 0
beforeAll(async () => {
  house = await openHouse()
  cvetka = await house.as(people.cvetka)
})
// Each test in browsers at addresses of their own, so that no address asks for too much.
beforeEach(async () => {
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  drago = await house.as(people.drago)
})
afterAll(async () => {
  await house?.close()
  console.info(`levels: ${ROUTES.size} calls, asked ${asked} times`)
})

test('every call that needs a level is asked for here', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(GUARDED.map(({ name }) => name).sort())
})

type Furnished = Around & { client_id: string }

/** Calls and tells in one word what came of it. */
async function outcome(call: Api, name: string, { client_id, ...around }: Furnished): Promise<string> {
  asked += 1
  const answer = await call(ROUTES.get(name) as Route, INPUTS[name]?.(client_id, around) as never)
  // A file has no envelope.
  return answer.ok || answer.http === 200 ? 'done' : answer.problem.code
}

/** Whatever calls are about, made anew in an organisation of Ana's. */
async function furnish(organisation: Organisation): Promise<Furnished> {
  const { client_id } = await organisation.app()
  const created_at = house.clock.now().toISOString()
  await house.store.db
    .insertInto('origins')
    .values({ client_id, origin: 'http://localhost:4000', created_at })
    .execute()
  // Somebody whom the organisation knows.
  const { developer_id } = organisation
  await house.store.db
    .insertInto('developer_users')
    .values({ developer_id, user_id: drago.user.id, id: client_id, blocked_at: null })
    .onConflict((c) => c.doNothing())
    .execute()
  good(await ana.call(scopes.putScope, { id: client_id, key: scopeOf(client_id), title: { 'en-US': 'See flights' } }))
  await organisation.grant(cvetka, 'member')
  await house.store.db.deleteFrom('invitations').execute()
  const invitation = good(await ana.call(members.inviteMember, { email: 'waiting@example.com' })).id
  const member = good(await ana.call(members.listMembers)).find(({ user }) => user.id === cvetka.user.id)?.id ?? ''
  return { client_id, member, invitation }
}

describe.each(GUARDED)('§6 $name', ({ name, needs }) => {
  test(`is for ${needs} and above`, async () => {
    const organisation = await openOrganisation(house, ana)
    expect(await outcome(house.visitor().call, name, await furnish(organisation))).toBe('unauthenticated')
    await organisation.join(bor, 'member')
    for (const level of LEVELS) {
      await organisation.grant(bor, level)
      const around = await furnish(organisation)
      const expected = atLeast(level, needs) ? 'done' : 'insufficient_level'
      expect([level, await outcome(bor.call, name, around)]).toEqual([level, expected])
    }
  })

  test('does not exist for people of other organisations', async () => {
    const around = await furnish(await openOrganisation(house, ana))
    await switchTo(drago, null)
    expect(await outcome(drago.call, name, around)).toBe('no_developer')
    await openOrganisation(house, drago)
    const { params, path } = ROUTES.get(name) ?? {}
    // The explorer is over everybody's apps.
    const aboutOne = params !== undefined && !path?.startsWith('/client/explore/')
    // Whoever makes an organisation is its only owner, and cannot leave it.
    const expected = aboutOne ? 'not_found' : name === 'members.leaveDeveloper' ? 'last_owner' : 'done'
    expect(await outcome(drago.call, name, around)).toBe(expected)
  })
})

/** The same person, signed in anew if need be: some of these calls end the session. */
async function alive(person: SignedIn, who: PersonData): Promise<SignedIn> {
  return (await person.call(account.getAccount)).ok ? person : await house.as(who)
}

/** What the fence itself answers to people whom it does not let in. */
const FENCE = ['unauthenticated', 'no_developer', 'insufficient_level', 'email_not_verified']

describe.each(OTHERS)('§6 $name, for $needs', ({ name, route }) => {
  /** With nothing in it: who comes past the fence is told what is missing, or is answered. */
  async function refusal(person: Caller): Promise<string | undefined> {
    asked += 1
    const url = `/v1${route.path.replace(/:[a-z_]+/g, 'nobodys')}`
    const answer = await person.request({ method: route.method, url })
    if (answer.statusCode >= 500) throw new Error(`${name} failed: ${answer.body}`)
    const code = (answer.headers['content-type'] ?? '').toString().includes('json')
      ? (answer.json() as { error?: { code: string } }).error?.code
      : undefined
    return FENCE.find((one) => one === code)
  }

  test('asks for no level: nobody, a stranger and every level get as far as each other', async () => {
    const open = route.needs !== 'session'
    // A rule may refuse what the fence lets pass, if it says so: renewing a session needs one.
    const own = (problemsOf(route) as readonly string[]).includes('unauthenticated') ? 'unauthenticated' : undefined
    expect(await refusal(house.visitor())).toBe(open ? own : 'unauthenticated')
    const organisation = await openOrganisation(house, ana)
    expect(await refusal(drago)).toBeUndefined()
    for (const level of LEVELS) {
      bor = await alive(bor, people.bor)
      await organisation.join(bor, level)
      expect([level, await refusal(bor)]).toEqual([level, undefined])
    }
  })
})

test('§6 a lowered or removed member is refused at the next request', async () => {
  const organisation = await openOrganisation(house, ana)
  const around = await furnish(organisation)
  await organisation.join(bor, 'admin')
  await organisation.grant(bor, 'member')
  expect(await outcome(bor.call, 'clients.deleteClient', around)).toBe('insufficient_level')
  await house.store.db.deleteFrom('members').where('user_id', '=', bor.user.id).execute()
  expect(await outcome(bor.call, 'clients.getClient', around)).toBe('no_developer')
})

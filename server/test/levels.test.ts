import { type Api, account, atLeast, LEVELS, type Level, members, type Route, scopes } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countEvents } from './audit-events.ts'
import { createOrganization, type Organization, switchTo } from './organization.ts'
import { type PersonData, people, studio } from './people.ts'
import { fileOf, halves } from './pictures.ts'
import { tabOf } from './registered-user.ts'
import { good } from './second-factor.ts'
import { type Caller, type SignedIn, startTestServer, type TestServer } from './test-server.ts'

const PICTURE = await halves('png')

/** Creates other objects of the organization, for the calls that need them. */
type Context = Record<'scope' | 'user' | 'origin' | 'member' | 'invitation' | 'resource', () => Promise<string>>

/**
 * Authorization by level (ASVS 8.2), tested on the real server against the levels in the contract. The first test fails
 * unless every call that needs a level has an input here that would succeed.
 */
const INPUTS: Record<string, (client_id: string, context: Context) => object | Promise<object>> = {
  'developers.getDeveloper': () => ({}),
  'developers.updateDeveloper': (id) => ({ company: `Kraški studio ${id}` }),
  'developers.requestApproval': () => ({}),
  'developers.deleteDeveloper': () => ({ name: studio.name }),
  'developers.setLogo': () => ({ logo: fileOf(PICTURE) }),
  'developers.removeLogo': () => ({}),
  'developers.listDeveloperActivity': () => ({}),
  'members.listMembers': () => ({}),
  'members.inviteMember': (id) => ({ email: `${id}@example.com` }),
  'members.resendInvitation': async (_, { invitation }) => ({ id: await invitation() }),
  'members.changeLevel': async (_, { member }) => ({ id: await member(), permission: 'analyst' }),
  'members.removeMember': async (_, { invitation }) => ({ id: await invitation() }),
  'members.leaveDeveloper': () => ({}),
  'clients.createClient': () => ({ name: 'Burja' }),
  'clients.listClients': () => ({}),
  'clients.getClient': (id) => ({ id }),
  'clients.getClientInfo': (id) => ({ id }),
  'clients.updateClientInfo': (id) => ({ id, description: 'Letalske vozovnice' }),
  'clients.requestClientApproval': (id) => ({ id }),
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
  'clients.removeOrigin': async (id, { origin }) => ({ id, origin: await origin() }),
  'clients.regenerateSecret': (id) => ({ id }),
  'clientAccess.getAccess': (id) => ({ id }),
  'clientAccess.setAccess': (id) => ({ id, mode: 'people', people: ['nova@example.com'] }),
  'scopes.listScopes': (id) => ({ id }),
  'scopes.defineScope': (id) => ({ id, key: scopeOf(id), title: { 'en-US': 'Read' } }),
  'scopes.getScopeUsage': async (id, { scope }) => ({ id, key: await scope() }),
  'scopes.removeScope': async (id, { scope }) => ({ id, key: await scope() }),
  'scopes.listRequestedScopes': (id) => ({ id }),
  'scopes.listResources': (id) => ({ id }),
  'scopes.addResource': async (id, { scope }) => ({
    id,
    identifier: `https://${id}.example`,
    name: 'Flights',
    scopes: [await scope()],
  }),
  'scopes.removeResource': async (id, { resource }) => ({ id, resource_id: await resource() }),
  'scopes.exploreChildren': () => ({ path: 'root' }),
  'scopes.exploreScopes': () => ({ path: 'root', mode: 'all-children' }),
  'scopes.exploreClients': () => ({ query: 'jadro' }),
  'users.listUsers': () => ({}),
  'users.countUsers': () => ({}),
  'users.getUser': async (_, { user }) => ({ id: await user() }),
  'users.exportUser': async (_, { user }) => ({ id: await user() }),
  'users.setUserBlocked': async (_, { user }) => ({ id: await user(), blocked: true }),
  'users.exportUsers': () => ({}),
  'quickStart.listQuickStarts': (id) => ({ id }),
  'clientDiagnostics.listClientErrors': (id) => ({ id }),
  'clientDiagnostics.deleteClientErrors': (id) => ({ id }),
  'clientDiagnostics.completeTestSignIn': (id) => ({ id, code: 'unknown', code_verifier: 'v'.repeat(43) }),
  'statistics.getClientStatistics': (id) => ({ id, days: 7 }),
  'statistics.getDeveloperStatistics': () => ({ days: 7 }),
}

/** A scope that this client defines. */
function scopeOf(client_id: string): string {
  return `${client_id}.flights.read`
}

const isLevel = (needs: Route['needs']): needs is Level => (LEVELS as readonly string[]).includes(needs)
const GUARDED = [...ROUTES].flatMap(([name, { needs }]) => (isLevel(needs) ? [{ name, needs }] : []))
const OTHERS = [...ROUTES].flatMap(([name, route]) =>
  isLevel(route.needs) ? [] : [{ name, needs: route.needs, route }],
)

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
let drago: SignedIn
/** Calls that need no level leave it as it is. */
let studioOfAna: Organization
let asked = 0
beforeAll(async () => {
  server = await startTestServer()
  cvetka = await server.as(people.cvetka)
  ana = await server.as(people.ana)
  studioOfAna = await createOrganization(server, ana)
})
// New browsers per test, because rate limits count addresses.
beforeEach(async () => {
  ana = await inNewBrowser(ana, people.ana)
  bor = await inNewBrowser(bor, people.bor)
  drago = await inNewBrowser(drago, people.drago)
})
afterAll(async () => {
  await server?.close()
  console.info(`levels: ${ROUTES.size} calls, asked ${asked} times`)
})

test('covers every call that needs a level', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(GUARDED.map(({ name }) => name).sort())
})

type Fixture = Context & { client_id: string }

/** Gives the input of a call: the same one again until the call has changed what it names. */
type Inputs = { next(): Promise<object | undefined>; changed(): void }

function inputsOf(name: string, organization: Organization): Inputs {
  let input: Promise<object | undefined> | undefined
  const create = async () => {
    const { client_id, ...context } = await createFixture(organization)
    return await INPUTS[name]?.(client_id, context)
  }
  return {
    next: () => (input ??= create()),
    changed() {
      input = undefined
    },
  }
}

/** Makes the call; resolves with `done` or the code of the problem. */
async function outcome(call: Api, name: string, inputs: Inputs): Promise<string> {
  asked += 1
  const input = await inputs.next()
  const route = ROUTES.get(name) as Route
  const before = await countEvents(server)
  const answer = await call(route, input as never)
  // A file has no envelope.
  if (!answer.ok && answer.http !== 200) return answer.problem.code
  inputs.changed()
  const isRecorded = (await countEvents(server)) > before
  return isRecorded === isChange(name, route) ? 'done' : `done, and ${isRecorded ? '' : 'not '}in the audit log`
}

/** Calls that are not GET, and change nothing that is recorded. */
const NOT_RECORDED: Record<string, string> = {
  'clientDiagnostics.deleteClientErrors': 'empties a list of the app’s own mistakes',
  'clientDiagnostics.completeTestSignIn': 'exchanges a code that belongs to nobody',
  'developers.requestApproval': 'asks for an organization that is approved',
  'clients.requestClientApproval': 'asks for an app that is approved',
  'clients.removeIcon': 'removes an icon that the app of this test does not have',
  'developers.removeLogo': 'removes a logo that the organization of this test does not have',
}

/** Whatever an owner or another member changes is in the audit log. */
function isChange(name: string, { method }: Route): boolean {
  return method !== 'GET' && NOT_RECORDED[name] === undefined
}

/** Creates an app in an organization of Ana's. */
async function createFixture(organization: Organization): Promise<Fixture> {
  const { client_id } = await organization.app()
  const { db } = server.store
  const scope = async () => {
    const key = scopeOf(client_id)
    good(await ana.call(scopes.defineScope, { id: client_id, key, title: { 'en-US': 'See flights' } }))
    return key
  }
  return {
    client_id,
    scope,
    async origin() {
      const origin = 'http://localhost:4000'
      await db
        .insertInto('origins')
        .values({ client_id, origin, created_at: server.clock.now().toISOString() })
        .execute()
      return origin
    },
    /** A user of the organization's clients. */
    async user() {
      const { developer_id } = organization
      await db
        .insertInto('developer_users')
        .values({ developer_id, user_id: drago.user.id, id: client_id, blocked_at: null, sort_name: '' })
        .onConflict((c) => c.columns(['developer_id', 'user_id']).doUpdateSet({ blocked_at: null }))
        .execute()
      return drago.user.id
    },
    async member() {
      await organization.grant(cvetka, 'member')
      return good(await ana.call(members.listMembers)).find(({ user }) => user.id === cvetka.user.id)?.id ?? ''
    },
    async invitation() {
      await db.deleteFrom('invitations').execute()
      // Each fixture invites the same address, which gets a few invitations a day only.
      await db.deleteFrom('mail_counts').execute()
      return good(await ana.call(members.inviteMember, { email: 'waiting@example.com' })).id
    },
    async resource() {
      const api = { identifier: `https://api-${client_id}.example`, name: 'API', scopes: [await scope()] }
      return good(await ana.call(scopes.addResource, { id: client_id, ...api })).resource_id
    },
  }
}

describe.each(GUARDED)('$name', ({ name, needs }) => {
  test(`is allowed for ${needs} and above`, async () => {
    const organization = await createOrganization(server, ana)
    const inputs = inputsOf(name, organization)
    expect(await outcome(server.browser().call, name, inputs)).toBe('unauthenticated')
    await organization.join(bor, 'member')
    for (const level of LEVELS) {
      await organization.grant(bor, level)
      const expected = atLeast(level, needs) ? 'done' : 'insufficient_level'
      expect([level, await outcome(bor.call, name, inputs)]).toEqual([level, expected])
    }
  })

  test('is not found for users of other organizations', async () => {
    const inputs = inputsOf(name, await createOrganization(server, ana))
    await switchTo(drago, null)
    expect(await outcome(drago.call, name, inputs)).toBe('no_developer')
    await createOrganization(server, drago)
    const { params, path } = ROUTES.get(name) ?? {}
    // The explorer covers the clients of all organizations.
    const aboutOne = params !== undefined && !path?.startsWith('/client/explore/')
    // Drago is the only owner of his organization, and cannot leave it.
    const expected = aboutOne ? 'not_found' : name === 'members.leaveDeveloper' ? 'last_owner' : 'done'
    expect(await outcome(drago.call, name, inputs)).toBe(expected)
  })
})

/** The user with the same session and another address; signed in if there is no session. */
async function inNewBrowser(person: SignedIn | undefined, who: PersonData): Promise<SignedIn> {
  return person ? await withSession({ ...tabOf(server, person), user: person.user }, who) : await server.as(who)
}

/** The user, signed in again if the last call ended the session. */
async function withSession(person: SignedIn, who: PersonData): Promise<SignedIn> {
  const answer = await person.call(account.getAccount)
  return answer.ok ? { ...person, user: answer.data } : await server.as(who)
}

/** Problems of the request guards. */
const GUARD_PROBLEMS = ['unauthenticated', 'no_developer', 'insufficient_level', 'email_not_verified']

/** Rules of open calls that look for a session themselves. */
const FIND_SESSION = ['sessions.refresh', 'signIn.getQrCode']

describe.each(OTHERS)('$name, for $needs', ({ name, route }) => {
  /** Sends an empty request; resolves with the problem of the guards, undefined when they accept it. */
  async function guardProblem(person: Caller): Promise<string | undefined> {
    asked += 1
    const url = `/v1${route.path.replace(/:[a-z_]+/g, 'nobodys')}`
    const answer = await person.request({ method: route.method, url })
    if (answer.statusCode >= 500) throw new Error(`${name} failed: ${answer.body}`)
    const code = (answer.headers['content-type'] ?? '').toString().includes('json')
      ? (answer.json() as { error?: { code: string } }).error?.code
      : undefined
    return GUARD_PROBLEMS.find((one) => one === code)
  }

  test('needs no level: the guards treat users without and with any level alike', async () => {
    const open = route.needs === 'nobody' || route.needs === 'anywhere'
    const needsSession = !open || FIND_SESSION.includes(name)
    expect(await guardProblem(server.browser())).toBe(needsSession ? 'unauthenticated' : undefined)
    await switchTo(drago, null)
    expect(await guardProblem(drago)).toBeUndefined()
    for (const level of LEVELS) {
      bor = await withSession(bor, people.bor)
      if (bor.user.developer_id === studioOfAna.developer_id) await studioOfAna.grant(bor, level)
      else await studioOfAna.join(bor, level)
      expect([level, await guardProblem(bor)]).toEqual([level, undefined])
    }
  })
})

test('rejects a demoted or removed member at the next request', async () => {
  const organization = await createOrganization(server, ana)
  await organization.join(bor, 'admin')
  await organization.grant(bor, 'member')
  const deleting = inputsOf('clients.deleteClient', organization)
  expect(await outcome(bor.call, 'clients.deleteClient', deleting)).toBe('insufficient_level')
  await server.store.db.deleteFrom('members').where('user_id', '=', bor.user.id).execute()
  const getting = inputsOf('clients.getClient', organization)
  expect(await outcome(bor.call, 'clients.getClient', getting)).toBe('no_developer')
})

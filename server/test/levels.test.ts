import { type Api, atLeast, LEVELS, type Level, type Route } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from './house.ts'
import { type Organisation, openOrganisation, switchTo } from './organisation.ts'
import { people, studio } from './people.ts'
import { fileOf, halves } from './pictures.ts'

const PICTURE = await halves('png')

/**
 * Who may do what in an organisation (ASVS 8.2), asked of the real server for every call that needs a level. What is
 * expected comes from the contract alone; a call without an input here fails the first test.
 */
const INPUTS: Record<string, (client_id: string) => object> = {
  'developers.getDeveloper': () => ({}),
  'developers.updateDeveloper': () => ({ company: 'Kraški studio d.o.o.' }),
  'developers.deleteDeveloper': () => ({ name: studio.name }),
  'developers.setLogo': () => ({ logo: fileOf(PICTURE) }),
  'developers.removeLogo': () => ({}),
  'developers.listDeveloperActivity': () => ({}),
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
  'users.listUsers': () => ({}),
  'users.setUserBlocked': () => ({ id: drago.user.id, blocked: true }),
  'users.exportUsers': () => ({}),
  'statistics.clientStatistics': (id) => ({ id, days: 7 }),
  'statistics.developerStatistics': () => ({ days: 7 }),
}

const CALLS = [...ROUTES].filter(([, { needs }]) => (LEVELS as readonly string[]).includes(needs))

let house: House
let ana: SignedIn
let bor: SignedIn
let drago: SignedIn
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())
// Each test in browsers at addresses of their own, so that no address asks for too much.
beforeEach(async () => {
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  drago = await house.as(people.drago)
})

test('every call that needs a level is asked for here', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(CALLS.map(([name]) => name).sort())
})

/** Calls and tells in one word what came of it. */
async function outcome(call: Api, name: string, client_id: string): Promise<string> {
  const answer = await call(ROUTES.get(name) as Route, INPUTS[name]?.(client_id) as never)
  // A file has no envelope.
  return answer.ok || answer.http === 200 ? 'done' : answer.problem.code
}

async function appWithOrigin(organisation: Organisation): Promise<string> {
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
  return client_id
}

describe.each(CALLS.map(([name, { needs }]) => ({ name, needs: needs as Level })))('§6 $name', ({ name, needs }) => {
  test(`is for ${needs} and above`, async () => {
    const organisation = await openOrganisation(house, ana)
    expect(await outcome(house.visitor().call, name, await appWithOrigin(organisation))).toBe('unauthenticated')
    for (const level of LEVELS) {
      await organisation.join(bor, level)
      const client_id = await appWithOrigin(organisation)
      const expected = atLeast(level, needs) ? 'done' : 'insufficient_level'
      expect([level, await outcome(bor.call, name, client_id)]).toEqual([level, expected])
    }
  })

  test('does not exist for people of other organisations', async () => {
    const client_id = await appWithOrigin(await openOrganisation(house, ana))
    await switchTo(drago, null)
    expect(await outcome(drago.call, name, client_id)).toBe('no_developer')
    await openOrganisation(house, drago)
    const aboutOneApp = ROUTES.get(name)?.params !== undefined
    expect(await outcome(drago.call, name, client_id)).toBe(aboutOneApp ? 'not_found' : 'done')
  })
})

test('§6 a lowered or removed member is refused at the next request', async () => {
  const organisation = await openOrganisation(house, ana)
  const client_id = await appWithOrigin(organisation)
  await organisation.join(bor, 'admin')
  await organisation.join(bor, 'member')
  expect(await outcome(bor.call, 'clients.deleteClient', client_id)).toBe('insufficient_level')
  await house.store.db.deleteFrom('members').where('user_id', '=', bor.user.id).execute()
  expect(await outcome(bor.call, 'clients.getClient', client_id)).toBe('no_developer')
})

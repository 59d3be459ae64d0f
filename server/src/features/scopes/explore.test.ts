import { clients, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let drago: SignedIn
let notes: string

const TITLES: Record<string, object> = {
  'notes.entries.read': { 'en-US': 'Read notes', 'hr-HR': 'Čitanje bilješki' },
  'notes.entries.write': { 'en-US': 'Write notes' },
  'notes.entries': { 'en-US': 'Know your notes' },
  'notes.folders.read': { 'sl-SI': 'Vpogled v 100 % map' },
}

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  drago = await server.as(people.drago)
  notes = (await (await createOrganization(server, ana)).app({ name: 'Žepni zapiski' })).client_id
  for (const [key, title] of Object.entries(TITLES)) await ana.call(scopes.defineScope, { id: notes, key, title })
  // A user of another developer account explores.
  const other = await (await createOrganization(server, drago, 'Tuja hiša')).app({ name: 'Žarnica' })
  await drago.call(scopes.defineScope, {
    id: other.client_id,
    key: 'lamp.switch',
    title: { 'en-US': 'Switch the lamp' },
  })
})
afterAll(() => server.close())

type Query = {
  path?: string
  mode?: scopes.ExploreMode
  query?: string
  limit?: number
  cursor?: string
  language?: 'sl-SI'
}
async function explore({ path = 'root', mode = 'direct-children', ...rest }: Query = {}) {
  const answer = await drago.call(scopes.exploreScopes, { path, mode, ...rest })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer
}
const keys = async (query?: Query) => (await explore(query)).data.map(({ key }) => key)

const STANDARD = ['openid', 'profile', 'email', 'phone', 'address', 'groups', 'offline_access']

describe('the explorer', () => {
  test('begins with the standard scopes and the prefixes of all clients', async () => {
    const { data } = await explore()
    expect(data.map(({ key }) => key)).toEqual([...STANDARD, 'lamp', 'notes'])
    expect(data[0]).toMatchObject({ title: 'Recognize you', defined: true, required: true, children: 0 })
    expect(data.at(-1)).toEqual({
      key: 'notes',
      title: 'notes',
      description: '',
      sensitive: false,
      required: false,
      language: null,
      defined: false,
      children: 2,
      client: { client_id: notes, name: 'Žepni zapiski', icon: null },
    })
  })

  test('lists direct children, all scopes below, or the node itself', async () => {
    const answer = await drago.call(scopes.exploreChildren, { path: 'notes' })
    expect(answer.ok && answer.data).toMatchObject([
      { key: 'notes.entries', title: 'Know your notes', defined: true, children: 2 },
      { key: 'notes.folders', title: 'notes.folders', defined: false, children: 1 },
    ])
    expect(await keys({ path: 'notes', mode: 'all-children' })).toEqual(Object.keys(TITLES).sort())
    expect(await keys({ path: 'notes.entries', mode: 'self' })).toEqual(['notes.entries'])
    expect(await keys({ path: 'notes.entries.read', mode: 'direct-children' })).toEqual([])
    expect(await keys({ path: 'email', mode: 'self' })).toEqual(['email'])
    for (const path of ['nothing', 'notes.nothing', 'note'])
      expect(await drago.call(scopes.exploreChildren, { path })).toMatchObject({ http: 404 })
  })

  test('returns texts in the requested language or a fallback', async () => {
    const title = async (path: string) => (await explore({ path, mode: 'self', language: 'sl-SI' })).data[0]
    expect(await title('profile')).toMatchObject({ title: 'Vpogled v vaš profil', language: 'sl-SI' })
    expect(await title('notes.folders.read')).toMatchObject({ title: 'Vpogled v 100 % map', language: 'sl-SI' })
    expect(await title('notes.entries.read')).toMatchObject({ title: 'Read notes', language: 'en-US' })
  })

  test.each([
    ['read', ['notes.entries.read', 'notes.folders.read']],
    ['citanje', ['notes.entries.read']],
    ['ČITANJE', ['notes.entries.read']],
    ['0 %', ['notes.folders.read']],
    ['_', ['offline_access']],
    ['e-naslov', ['email']],
    ['lamp', ['lamp.switch']],
    ['nothing like it', []],
  ])('finds %j in keys and texts of every language', async (query, found) => {
    expect(await keys({ mode: 'all-children', query })).toEqual(found)
  })

  test('searches below a node', async () => {
    expect(await keys({ path: 'notes.entries', mode: 'all-children', query: 'read' })).toEqual(['notes.entries.read'])
  })

  test('pages by key without repetitions and gaps', async () => {
    for (const mode of ['direct-children', 'all-children'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await explore({ mode, limit: 3, ...(cursor ? { cursor } : {}) })
        seen.push(...page.data.map(({ key }) => key))
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      expect(seen).toEqual(await keys({ mode }))
    }
    expect(await keys({ path: 'notes', mode: 'all-children', limit: 1, cursor: 'notes.entries.read' })).toEqual([
      'notes.entries.write',
    ])
    const nonsense = await drago.call(scopes.exploreChildren, { path: 'root', cursor: 'not a key' })
    expect(nonsense).toMatchObject({ problem: { fields: { cursor: 'invalid' } } })
  })

  test('finds clients of all developer accounts by name, with their scope prefix', async () => {
    const named = async (query: string) => {
      const answer = await drago.call(scopes.exploreClients, { query })
      return answer.ok && answer.data.map(({ name, scope_prefix, developer }) => [name, scope_prefix, developer.name])
    }
    expect(await named('žepni')).toEqual([['Žepni zapiski', 'notes', 'Kraški studio']])
    expect(await named('ZAPISKI')).toEqual([['Žepni zapiski', 'notes', 'Kraški studio']])
    expect(await named('Ž')).toEqual([
      ['Žarnica', 'lamp', 'Tuja hiša'],
      ['Žepni zapiski', 'notes', 'Kraški studio'],
    ])
    expect(await named('%')).toEqual([])
    const page = await drago.call(scopes.exploreClients, { query: 'ž', limit: 1 })
    const next = page.ok && page.next_cursor ? page.next_cursor : ''
    const second = await drago.call(scopes.exploreClients, { query: 'ž', limit: 1, cursor: next })
    expect(second).toMatchObject({ data: [{ name: 'Žepni zapiski' }], next_cursor: null })
  })
})

describe('an app that cannot be used', () => {
  let id: string
  beforeAll(async () => {
    id = (await (await createOrganization(server, ana, 'Skrita hiša')).app({ name: 'Nevidna' })).client_id
    await ana.call(scopes.defineScope, { id, key: 'hidden.read', title: { 'en-US': 'Read' } })
  })
  const found = async (by: SignedIn) => {
    const answer = await by.call(scopes.exploreClients, { query: 'nevidna' })
    return answer.ok && answer.data.map(({ client_id }) => client_id)
  }
  /** Keys that the tree shows of the app: as a prefix, in a search, below the prefix, and by itself. */
  const shown = async (by: SignedIn) => {
    const queries = [
      { path: 'root', mode: 'direct-children' },
      { path: 'root', mode: 'all-children', query: 'hidden' },
      { path: 'hidden', mode: 'direct-children' },
      { path: 'hidden.read', mode: 'self' },
    ] as const
    const answers = await Promise.all(queries.map((query) => by.call(scopes.exploreScopes, query)))
    return answers.map((answer) =>
      answer.ok ? answer.data.map(({ key }) => key).filter((key) => key.startsWith('hidden')) : answer.problem.code,
    )
  }
  const all = [['hidden'], ['hidden.read'], ['hidden.read'], ['hidden.read']]
  const nothing = [[], [], 'not_found', 'not_found']

  test.each([
    ['pending', { approval: 'pending', enabled: 0 }],
    ['rejected', { approval: 'rejected', enabled: 0 }],
    ['disabled', { approval: null, enabled: 0 }],
  ] as const)('is found, with its scopes, by its own organization only: %s', async (_, state) => {
    expect(await found(drago)).toEqual([id])
    expect(await shown(drago)).toEqual(all)
    await server.store.db.updateTable('clients').set(state).where('client_id', '=', id).execute()
    expect(await found(drago)).toEqual([])
    expect(await shown(drago)).toEqual(nothing)
    expect(await found(ana)).toEqual([id])
    expect(await shown(ana)).toEqual(all)
    const usable = { approval: null, enabled: 1 } as const
    await server.store.db.updateTable('clients').set(usable).where('client_id', '=', id).execute()
  })

  test('has no scopes while it is being deleted', async () => {
    const { db } = server.store
    expect(await shown(drago)).toEqual(all)
    const deleted_at = server.clock.now().toISOString()
    await db.updateTable('clients').set({ deleted_at }).where('client_id', '=', id).execute()
    expect(await shown(drago)).toEqual(nothing)
    await db.updateTable('clients').set({ deleted_at: null }).where('client_id', '=', id).execute()
  })
})

test('lists requested scopes with their texts', async () => {
  const { client_id: id } = await (await createOrganization(server, ana)).app()
  await ana.call(clients.updateClientInfo, { id, scopes: ['notes.entries.read', 'openid'] })
  const asked = await ana.call(scopes.listRequestedScopes, { id, language: 'hr-HR' })
  expect(asked).toMatchObject({
    data: [
      { key: 'notes.entries.read', title: 'Čitanje bilješki', language: 'hr-HR', client: { name: 'Žepni zapiski' } },
      { key: 'openid', title: 'Prepoznavanje vašeg računa', required: true },
    ],
  })
  expect(asked.ok && asked.data[1]).not.toHaveProperty('client')
})

import { clients } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allPages } from '../../../../testing/all-pages.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
})
afterAll(() => server?.close())

/** Names of the clients of each page. */
async function pages(limit: number, view: { sort?: clients.ClientSort; enabled?: boolean } = {}): Promise<string[][]> {
  const all = await allPages((from) => ana.call(clients.listClients, { limit, ...view, ...from }))
  return all.map((page) => page.map(({ name }) => name))
}

test('sorts clients by name regardless of case, including clients of the same name', async () => {
  const organization = await createOrganization(server, ana)
  expect(await pages(50)).toEqual([[]])
  for (const name of ['burja', 'Ajda', 'cekin', 'Burja', 'Burja', 'Daljava']) await organization.app({ name })
  expect(await pages(50)).toEqual([
    [
      'Ajda',
      expect.stringMatching(/burja/i),
      expect.stringMatching(/burja/i),
      expect.stringMatching(/burja/i),
      'cekin',
      'Daljava',
    ],
  ])
  for (const limit of [1, 2, 3, 6]) {
    const seen = await pages(limit)
    expect(seen.map((page) => page.length)).toEqual(Array(6 / limit).fill(limit))
    expect(seen.flat()).toEqual((await pages(50)).flat())
  }
})

test('sorts clients by time and filters them by state', async () => {
  const organization = await createOrganization(server, ana)
  for (const name of ['Burja', 'Ajda', 'Cekin']) {
    await organization.app({ name })
    server.clock.advance(1)
  }
  const [[first = ''] = []] = await pages(1)
  const found = await ana.call(clients.listClients, { query: first })
  const id = found.ok ? (found.data[0]?.client_id ?? '') : ''
  await ana.call(clients.updateClientInfo, { id, enabled: false })
  for (const limit of [1, 2, 50]) {
    expect((await pages(limit, { sort: 'newest' })).flat()).toEqual(['Cekin', 'Ajda', 'Burja'])
    expect((await pages(limit, { sort: 'newest', enabled: true })).flat()).toEqual(['Cekin', 'Burja'])
    expect((await pages(limit, { enabled: false })).flat()).toEqual(['Ajda'])
  }
})

test('contains no clients of other developer accounts', async () => {
  await (await createOrganization(server, ana)).app({ name: 'Moja' })
  await createOrganization(server, ana)
  expect(await pages(50)).toEqual([[]])
})

test('accepts the cursor of the longest stored name', async () => {
  const organization = await createOrganization(server, ana)
  for (const end of ['a', 'b', 'c']) {
    const { client_id } = await organization.app()
    const name = '€'.repeat(99) + end
    const names = { name, sort_name: name }
    await server.store.db.updateTable('clients').set(names).where('client_id', '=', client_id).execute()
  }
  expect((await pages(1)).length).toBe(3)
})

test('continues after a name of which each character is three letters where it is sorted', async () => {
  const organization = await createOrganization(server, ana)
  for (const end of ['가', '나', '다']) await organization.app({ name: '각'.repeat(59) + end })
  expect((await pages(1)).length).toBe(3)
})

test.each(['nonsense', Buffer.from(' a').toString('base64url'), Buffer.from('vrt_a b\0c').toString('base64url')])(
  'rejects a malformed cursor: %s',
  async (cursor) => {
    await createOrganization(server, ana)
    expect(await ana.call(clients.listClients, { cursor })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { cursor: 'invalid' } },
    })
  },
)

test.each([0, 101, -1, 1.5])('rejects a page size of %d', async (limit) => {
  expect(await ana.call(clients.listClients, { limit })).toMatchObject({ http: 400 })
})

test('searches within names regardless of case and accents, page by page', async () => {
  const organization = await createOrganization(server, ana)
  for (const name of ['Čebela', 'Moja čebelica', 'Đakovo', '100 % burja', 'Burja']) await organization.app({ name })
  const found = async (query: string) => {
    const answer = await ana.call(clients.listClients, { query })
    return answer.ok && answer.data.map(({ name }) => name)
  }
  expect(await found('CEBEL')).toEqual(['Čebela', 'Moja čebelica'])
  expect(await found('ČEBELICA')).toEqual(['Moja čebelica'])
  expect(await found('dakovo')).toEqual(['Đakovo'])
  expect(await found('%')).toEqual(['100 % burja'])
  expect(await found('_')).toEqual([])
  expect(await found('\\')).toEqual([])
  expect(await found('')).toHaveLength(5)
  const first = await ana.call(clients.listClients, { query: 'burja', limit: 1 })
  const next =
    first.ok && (await ana.call(clients.listClients, { query: 'burja', limit: 1, cursor: String(first.next_cursor) }))
  expect([first, next]).toMatchObject([
    { data: [{ name: '100 % burja' }] },
    { data: [{ name: 'Burja' }], next_cursor: null },
  ])
})

test('finds and sorts a renamed client by its new name only', async () => {
  const organization = await createOrganization(server, ana)
  const { client_id: id } = await organization.app({ name: 'Ajda' })
  await organization.app({ name: 'Burja' })
  await ana.call(clients.updateClientInfo, { id, name: 'Žito' })
  expect(await pages(50)).toEqual([['Burja', 'Žito']])
  expect(await ana.call(clients.listClients, { query: 'zito' })).toMatchObject({ data: [{ client_id: id }] })
  expect(await ana.call(clients.listClients, { query: 'ajda' })).toMatchObject({ data: [] })
})

import { clients } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'

let house: House
let ana: SignedIn
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
})
afterAll(() => house?.close())

/** Every page, one after the other. */
async function pages(limit: number): Promise<string[][]> {
  const seen: string[][] = []
  let cursor: string | null | undefined
  do {
    const page = await ana.call(clients.listClients, { limit, ...(cursor ? { cursor } : {}) })
    if (!page.ok) throw new Error(page.problem.code)
    seen.push(page.data.map(({ name }) => name))
    cursor = page.next_cursor
  } while (cursor)
  return seen
}

test('apps come by name, upper and lower case alike, and those of the same name all come', async () => {
  const organisation = await openOrganisation(house, ana)
  expect(await pages(50)).toEqual([[]])
  for (const name of ['burja', 'Ajda', 'cekin', 'Burja', 'Burja', 'Daljava']) await organisation.app({ name })
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

test("another organisation's apps are not among them", async () => {
  await (await openOrganisation(house, ana)).app({ name: 'Moja' })
  await openOrganisation(house, ana)
  expect(await pages(50)).toEqual([[]])
})

test('the longest name still makes a cursor that is accepted', async () => {
  const organisation = await openOrganisation(house, ana)
  for (const end of ['a', 'b', 'c']) await organisation.app({ name: '€'.repeat(99) + end })
  expect((await pages(1)).length).toBe(3)
})

test.each(['nonsense', Buffer.from(' a').toString('base64url'), Buffer.from('vrt_a b\0c').toString('base64url')])(
  'a cursor of somebody else is refused: %s',
  async (cursor) => {
    await openOrganisation(house, ana)
    expect(await ana.call(clients.listClients, { cursor })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { cursor: 'invalid' } },
    })
  },
)

test.each([0, 101, -1, 1.5])('a page of %d is refused', async (limit) => {
  expect(await ana.call(clients.listClients, { limit })).toMatchObject({ http: 400 })
})

test('a search finds what stands anywhere in a name, whatever the case and the accents, and goes on by pages', async () => {
  const organisation = await openOrganisation(house, ana)
  for (const name of ['Čebela', 'Moja čebelica', 'Đakovo', '100 % burja', 'Burja']) await organisation.app({ name })
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

test('a renamed app is found by its new name only, and stands in its new place', async () => {
  const organisation = await openOrganisation(house, ana)
  const { client_id: id } = await organisation.app({ name: 'Ajda' })
  await organisation.app({ name: 'Burja' })
  await ana.call(clients.updateClientInfo, { id, name: 'Žito' })
  expect(await pages(50)).toEqual([['Burja', 'Žito']])
  expect(await ana.call(clients.listClients, { query: 'zito' })).toMatchObject({ data: [{ client_id: id }] })
  expect(await ana.call(clients.listClients, { query: 'ajda' })).toMatchObject({ data: [] })
})

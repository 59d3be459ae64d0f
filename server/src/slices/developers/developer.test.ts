import { account, auth, clients, developers } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { openOrganisation, switchTo } from '../../../test/organisation.ts'
import { people, studio } from '../../../test/people.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
})
afterAll(() => house?.close())

describe('§1 an organisation', () => {
  test('is owned by who makes it, and becomes current', async () => {
    const made = await ana.call(developers.createDeveloper, { ...studio, description: 'Rišemo.\nTudi kodo.' })
    expect(made).toMatchObject({
      http: 201,
      data: { ...studio, description: 'Rišemo.\nTudi kodo.', company: null, logo: null, permission: 'owner' },
    })
    if (!made.ok) return
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: made.data })
    const { developer_id, name } = made.data
    expect(await ana.call(account.getAccount)).toMatchObject({
      data: { developer_id, permission: 'owner', developer_accounts: [{ developer_id, name, permission: 'owner' }] },
    })
  })

  test('needs a confirmed address', async () => {
    const visitor = house.visitor()
    await visitor.call(auth.register, { email: 'nova@example.com', password: 'nova-vrata-na-stezaj' })
    const refused = await visitor.call(developers.createDeveloper, { name: 'Novi' })
    expect(refused).toMatchObject({ http: 403, problem: { code: 'email_not_verified' } })
    expect(await visitor.call(account.getAccount)).toMatchObject({
      data: { developer_accounts: [], developer_id: null },
    })
  })

  test.each([
    [{ name: '' }, { name: 'required' }],
    [{ name: '   ' }, { name: 'required' }],
    [{ name: 'x'.repeat(101) }, { name: 'too_long' }],
    [{ name: 'a\u202eb' }, { name: 'invalid' }],
    [{ name: 'Studio', website: 'javascript:alert(1)' }, { website: 'invalid_url' }],
    [{ name: 'Studio', description: 'x'.repeat(501) }, { description: 'too_long' }],
    [{ name: 'Studio', permission: 'owner' }, { permission: 'unknown' }],
  ])('refuses %j and makes nothing', async (input, fields) => {
    const before = await bor.call(account.getAccount)
    const refused = await bor.call(developers.createDeveloper, input)
    expect(refused).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(await bor.call(account.getAccount)).toEqual(before)
  })

  test('changes only what is said; null empties a field', async () => {
    await openOrganisation(house, ana)
    const { updateDeveloper } = developers
    const first = await ana.call(updateDeveloper, { company: 'Kras d.o.o.', website: 'https://kras.example/' })
    expect(first).toMatchObject({ data: { name: studio.name, company: 'Kras d.o.o.' } })
    const second = await ana.call(updateDeveloper, { company: null, name: 'Kras' })
    expect(second).toMatchObject({ data: { name: 'Kras', company: null, website: 'https://kras.example/' } })
    expect(await ana.call(updateDeveloper, {})).toEqual(second)
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: second.ok && second.data })
  })
})

describe('§8 deleting an organisation', () => {
  test('asks for its name, typed exactly', async () => {
    await openOrganisation(house, ana)
    for (const name of ['', 'kraški studio', 'Kraški  studio', 'Kraški']) {
      const refused = await ana.call(developers.deleteDeveloper, { name })
      expect(refused).toMatchObject({ http: 400, problem: { code: 'name_mismatch', fields: { name: 'wrong' } } })
    }
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ ok: true })
  })

  test('takes its apps along, and leaves its members without a current one', async () => {
    const organisation = await openOrganisation(house, ana, 'Začasni')
    const app = await organisation.app()
    await organisation.join(bor, 'admin')
    expect(await ana.call(developers.deleteDeveloper, { name: 'Začasni' })).toMatchObject({ ok: true, data: {} })

    expect(await bor.call(clients.getClient, { id: app.client_id })).toMatchObject({
      problem: { code: 'no_developer' },
    })
    expect(await bor.call(account.getAccount)).toMatchObject({ data: { developer_id: null, permission: null } })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ problem: { code: 'no_developer' } })
    for (const table of ['clients', 'redirect_uris'] as const) {
      const left = await house.store.read
        .selectFrom(table)
        .select('client_id')
        .where('client_id', '=', app.client_id)
        .execute()
      expect(left, table).toEqual([])
    }
  })

  test('while somebody makes an app for it leaves no app behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { developer_id } = await openOrganisation(house, ana, 'Začasni')
      const [made, deleted] = await Promise.all([
        ana.call(clients.createClient, { name: 'Burja' }),
        ana.call(developers.deleteDeveloper, { name: 'Začasni' }),
      ])
      expect(deleted).toMatchObject({ ok: true })
      expect(made.ok || made.problem.code).toBe(made.ok || 'no_developer')
      const left = await house.store.read
        .selectFrom('clients')
        .selectAll()
        .where('developer_id', '=', developer_id)
        .execute()
      expect(left).toEqual([])
    }
  })

  test('needs a fresh sign-in', async () => {
    const { developer_id } = await openOrganisation(house, ana)
    house.clock.advance(601)
    await switchTo(ana, developer_id)
    const refused = await ana.call(developers.deleteDeveloper, { name: studio.name })
    expect(refused).toMatchObject({ http: 403, problem: { code: 'reauthentication_required' } })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ ok: true })
  })
})

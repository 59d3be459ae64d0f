import { account, clients, connections, developers, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, switchTo } from '../../../test/organization.ts'
import { people, studio } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
})
afterAll(() => server?.close())

describe('developer account', () => {
  test('makes its creator the owner and becomes current', async () => {
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

  test('requires a confirmed email address', async () => {
    const visitor = server.browser()
    await visitor.call(signIn.register, { email: 'nova@example.com', password: 'nova-vrata-na-stezaj' })
    const rejected = await visitor.call(developers.createDeveloper, { name: 'Novi' })
    expect(rejected).toMatchObject({ http: 403, problem: { code: 'email_not_verified' } })
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
  ])('rejects %j', async (input, fields) => {
    const before = await bor.call(account.getAccount)
    const rejected = await bor.call(developers.createDeveloper, input)
    expect(rejected).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(await bor.call(account.getAccount)).toEqual(before)
  })

  test('updates only the given fields; null clears a field', async () => {
    await createOrganization(server, ana)
    const { updateDeveloper } = developers
    const first = await ana.call(updateDeveloper, { company: 'Kras d.o.o.', website: 'https://kras.example/' })
    expect(first).toMatchObject({ data: { name: studio.name, company: 'Kras d.o.o.' } })
    const second = await ana.call(updateDeveloper, { company: null, name: 'Kras' })
    expect(second).toMatchObject({ data: { name: 'Kras', company: null, website: 'https://kras.example/' } })
    expect(await ana.call(updateDeveloper, {})).toEqual(second)
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: second.ok && second.data })
  })
})

describe('deletion of a developer account', () => {
  test('requires its exact name', async () => {
    await createOrganization(server, ana)
    for (const name of ['', 'kraški studio', 'Kraški  studio', 'Kraški']) {
      const rejected = await ana.call(developers.deleteDeveloper, { name })
      expect(rejected).toMatchObject({ http: 400, problem: { code: 'name_mismatch', fields: { name: 'wrong' } } })
    }
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ ok: true })
  })

  test('deletes its clients and leaves its members without a current developer account', async () => {
    const organization = await createOrganization(server, ana, 'Začasni')
    const app = await organization.app()
    await organization.join(bor, 'admin')
    expect(await ana.call(developers.deleteDeveloper, { name: 'Začasni' })).toMatchObject({ ok: true, data: {} })

    expect(await bor.call(clients.getClient, { id: app.client_id })).toMatchObject({
      problem: { code: 'no_developer' },
    })
    expect(await bor.call(account.getAccount)).toMatchObject({ data: { developer_id: null, permission: null } })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ problem: { code: 'no_developer' } })
    for (const table of ['clients', 'redirect_uris'] as const) {
      const left = await server.store.read
        .selectFrom(table)
        .select('client_id')
        .where('client_id', '=', app.client_id)
        .execute()
      expect(left, table).toEqual([])
    }
  })

  test.each([[0], [1]])('deletes users of one of two clients, %i', async (used) => {
    const organization = await createOrganization(server, ana, 'Začasni')
    const apps = [await organization.app({ name: 'Prva' }), await organization.app({ name: 'Druga' })]
    const { client_id } = apps[used] as (typeof apps)[number]
    expect(await bor.call(connections.submitConsent, { client: client_id, scopes: ['openid'] })).toMatchObject({
      ok: true,
    })
    expect(await ana.call(developers.deleteDeveloper, { name: 'Začasni' })).toMatchObject({ ok: true })
  })

  test('leaves no client behind that is created at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { developer_id } = await createOrganization(server, ana, 'Začasni')
      const [made, deleted] = await Promise.all([
        ana.call(clients.createClient, { name: 'Burja' }),
        ana.call(developers.deleteDeveloper, { name: 'Začasni' }),
      ])
      expect(deleted).toMatchObject({ ok: true })
      expect(made.ok || made.problem.code).toBe(made.ok || 'no_developer')
      const left = await server.store.read
        .selectFrom('clients')
        .selectAll()
        .where('developer_id', '=', developer_id)
        .execute()
      expect(left).toEqual([])
    }
  })

  test('requires a fresh sign-in', async () => {
    const { developer_id } = await createOrganization(server, ana)
    server.clock.advance(601)
    await switchTo(ana, developer_id)
    const rejected = await ana.call(developers.deleteDeveloper, { name: studio.name })
    expect(rejected).toMatchObject({ http: 403, problem: { code: 'reauthentication_required' } })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ ok: true })
  })
})

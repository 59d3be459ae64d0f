import { clients, connections, LIMITS, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, allowOnly, authorize, follow, here } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

const title = { 'en-US': 'Read notes', 'sl-SI': 'Branje zapiskov' }
const define = (id: string, key: string, more: object = {}) => ana.call(scopes.defineScope, { id, key, title, ...more })
const activities = async (type: string) =>
  (await server.store.read.selectFrom('developer_activities').selectAll().where('type', '=', type).execute()).map(
    ({ client_id, params }) => ({ client_id, ...JSON.parse(params) }),
  )

describe('client-defined scopes', () => {
  test('are created with texts by language, changed, listed by key and removed', async () => {
    const { client_id: id } = await organization.app()
    expect(await ana.call(scopes.listScopes, { id })).toMatchObject({ data: [] })
    const made = await define(id, 'notes.write', { description: { 'en-US': 'All of them.' }, sensitive: true })
    expect(made).toMatchObject({
      data: {
        key: 'notes.write',
        title,
        description: { 'en-US': 'All of them.' },
        sensitive: true,
        required: false,
        created_at: expect.any(String),
      },
    })
    await define(id, 'notes.entries.read')
    const changed = await define(id, 'notes.write', { title: { 'hr-HR': 'Pisanje bilješki' }, required: true })
    expect(changed).toMatchObject({
      data: { title: { 'hr-HR': 'Pisanje bilješki' }, description: {}, sensitive: true, required: true },
    })
    const listed = await ana.call(scopes.listScopes, { id })
    expect(listed.ok && listed.data.map(({ key }) => key)).toEqual(['notes.entries.read', 'notes.write'])
    expect(await activities('DEFINED_SCOPE')).toContainEqual({ client_id: id, name: 'Jadrolet', scope: 'notes.write' })

    expect(await ana.call(scopes.removeScope, { id, key: 'notes.write' })).toMatchObject({ ok: true })
    expect(await ana.call(scopes.removeScope, { id, key: 'notes.write' })).toMatchObject({ http: 404 })
    expect(await activities('REMOVED_SCOPE')).toEqual([{ client_id: id, name: 'Jadrolet', scope: 'notes.write' }])
  })

  test('have one prefix, which the first key reserves permanently for the client', async () => {
    const tides = await organization.app()
    const other = await organization.app()
    await define(tides.client_id, 'tides.read')
    const problem = (code: string, field: string) => ({ problem: { code, fields: { key: field } } })
    expect(await define(tides.client_id, 'waves.read')).toMatchObject(problem('wrong_prefix', 'wrong'))
    expect(await define(other.client_id, 'tides.write')).toMatchObject(problem('prefix_taken', 'taken'))
    expect(await define(other.client_id, 'account.read')).toMatchObject(problem('prefix_taken', 'taken'))
    await ana.call(scopes.removeScope, { id: tides.client_id, key: 'tides.read' })
    expect(await define(tides.client_id, 'waves.read')).toMatchObject(problem('wrong_prefix', 'wrong'))
    expect(await ana.call(clients.getClient, { id: tides.client_id })).toMatchObject({
      data: { scope_prefix: 'tides' },
    })
    // Deleting the client releases its prefix.
    await ana.call(clients.deleteClient, { id: tides.client_id })
    expect(await define(other.client_id, 'tides.write')).toMatchObject({ ok: true })
  })

  test('reserve a prefix for one of two concurrent clients', async () => {
    const apps = await Promise.all([organization.app(), organization.app(), organization.app()])
    const answers = await Promise.all(apps.map(({ client_id }) => define(client_id, 'race.start')))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, 409, 409])
  })

  test.each(['notes', 'Notes.read', 'a.read', '.read', 'notes..read', 'notes.read ', 'bilješke.read'])(
    'reject the key %j',
    async (key) => {
      const { client_id } = await organization.app()
      const answer = await define(client_id, key)
      if (key === 'notes.read ') expect(answer).toMatchObject({ problem: { code: 'prefix_taken' } })
      else expect(answer).toMatchObject({ problem: { code: 'invalid_request', fields: { key: 'scope_key' } } })
    },
  )

  test('require a title in at least one language and for each description', async () => {
    const { client_id: id } = await organization.app()
    const key = 'titles.read'
    expect(await define(id, key, { title: {} })).toMatchObject({ problem: { fields: { title: 'required' } } })
    // The page that asks for consent would show nothing.
    expect(await define(id, key, { title: { 'en-US': '\u200b\u3164' } })).toMatchObject({
      problem: { fields: { 'title.en-US': 'invalid' } },
    })
    expect(await define(id, key, { title: { 'en-US': '  ' } })).toMatchObject({
      problem: { fields: { title: 'required' } },
    })
    expect(await define(id, key, { description: { 'hr-HR': 'Svih.' } })).toMatchObject({
      problem: { fields: { 'title.hr-HR': 'required' } },
    })
    expect(await define(id, key, { title: { 'de-DE': 'Lesen' } })).toMatchObject({ http: 400 })
  })

  test('are limited in number', async () => {
    const { client_id } = await organization.app()
    await define(client_id, 'many.n0')
    const created_at = server.clock.now().toISOString()
    const rest = Array.from({ length: LIMITS.scopes_per_client - 1 }, (_, n) => `many.n${n + 1}`)
    const row = { client_id, sensitive: 0, required: 0, search: '', created_at } as const
    await server.store.db
      .insertInto('scopes')
      .values(rest.map((key) => ({ key, ...row })))
      .execute()
    expect(await define(client_id, 'many.more')).toMatchObject({ problem: { code: 'too_many_scopes' } })
    expect(await define(client_id, 'many.n0')).toMatchObject({ ok: true })
  })
})

test('a scope that is removed and defined again is asked for again, also of a user who had declined it', async () => {
  const maker = await organization.app({ name: 'Bralka' })
  const app = await organization.app()
  const [key, scope] = ['logbook.read', 'openid logbook.read']
  const publish = async () => {
    good(await define(maker.client_id, key))
    good(await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: scope.split(' ') }))
  }
  const page = async () => await follow(bor, here(await authorize(bor, app, { scope })))
  await publish()
  await allowOnly(bor, app, 'openid', scope)
  expect((await authorize(bor, app, { scope })).searchParams.has('code')).toBe(true)
  good(await ana.call(scopes.removeScope, { id: maker.client_id, key }))
  await publish()
  expect((await page()).pathname).toBe('/oauth')
  await allow(bor, app, scope)
  expect((await authorize(bor, app, { scope })).searchParams.has('code')).toBe(true)
})

describe('the usage of a scope', () => {
  test('counts users with a grant and lists requesting clients', async () => {
    const maker = await organization.app()
    const key = 'letters.read'
    await define(maker.client_id, key)
    expect(await ana.call(scopes.getScopeUsage, { id: maker.client_id, key })).toMatchObject({
      data: { scope: { key }, people: 0, more_people: false, apps: [], more_apps: false },
    })
    const reader = await organization.app({ name: 'Bralka' })
    const second = await organization.app({ name: 'Arhiv' })
    for (const { client_id: id } of [reader, second])
      await ana.call(clients.updateClientInfo, { id, scopes: ['openid', key] })
    // A user counts once, however many clients have the grant.
    await allow(ana, reader, `openid ${key}`)
    await allow(ana, second, `openid ${key}`)
    await allow(bor, reader, `openid ${key}`)
    expect(await ana.call(scopes.getScopeUsage, { id: maker.client_id, key })).toMatchObject({
      data: { people: 2, apps: [{ name: 'Arhiv' }, { name: 'Bralka' }] },
    })
    const cvetka = await server.as(people.cvetka)
    await allowOnly(cvetka, reader, 'openid', `openid ${key}`)
    expect(await ana.call(scopes.getScopeUsage, { id: maker.client_id, key })).toMatchObject({ data: { people: 2 } })
    await bor.call(connections.revokeScope, { client: reader.client_id, key })
    expect(await ana.call(scopes.getScopeUsage, { id: maker.client_id, key })).toMatchObject({ data: { people: 1 } })
    await ana.call(clients.updateClientInfo, { id: second.client_id, scopes: ['openid'] })
    expect(await ana.call(scopes.getScopeUsage, { id: maker.client_id, key })).toMatchObject({
      data: { apps: [{ name: 'Bralka' }] },
    })
  })

  test('is a figure, which members see from the level analyst on (api §5.1)', async () => {
    const { client_id: id } = await organization.app()
    const key = 'swells.read'
    await define(id, key)
    const read = () => bor.call(scopes.getScopeUsage, { id, key })
    await organization.join(bor, 'member')
    expect(await read()).toMatchObject({ http: 403, problem: { code: 'insufficient_level' } })
    await organization.join(bor, 'analyst')
    expect(await read()).toMatchObject({ data: { people: 0 } })
  })

  test('names apps of other organizations only while they can be used', async () => {
    const { client_id: id } = await organization.app()
    const key = 'winds.read'
    await define(id, key)
    const own = await organization.app({ name: 'Bralka' })
    const other = await (await createOrganization(server, bor, 'Burja')).app({ name: 'Arhiv' })
    const asking = [
      [ana, own.client_id],
      [bor, other.client_id],
    ] as const
    const named = async () => {
      const { apps, more_apps } = good(await ana.call(scopes.getScopeUsage, { id, key }))
      return [apps.map(({ name }) => name), more_apps]
    }
    for (const [person, one] of asking)
      good(await person.call(clients.updateClientInfo, { id: one, scopes: ['openid', key] }))
    expect(await named()).toEqual([['Arhiv', 'Bralka'], false])
    for (const [person, one] of asking) good(await person.call(clients.updateClientInfo, { id: one, enabled: false }))
    expect(await named()).toEqual([['Bralka'], false])
  })
})

describe('a removed scope', () => {
  test('is removed from requested scopes and grants, and nothing else changes', async () => {
    const maker = await organization.app()
    const reader = await organization.app({ name: 'Bralka' })
    for (const key of ['diary.read', 'diary.read.old', 'diary.write']) await define(maker.client_id, key)
    const asked = ['diary.read', 'openid', 'diary.read.old', 'diary.write']
    await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: asked })
    await allow(bor, reader, asked.join(' '))

    for (const key of ['diary.read', 'diary.write']) await ana.call(scopes.removeScope, { id: maker.client_id, key })
    expect(await ana.call(clients.getClient, { id: reader.client_id })).toMatchObject({
      data: { scopes: ['openid', 'diary.read.old'] },
    })
    const apps = await bor.call(connections.listConnections)
    const kept = apps.ok ? apps.data.find(({ client }) => client.client_id === reader.client_id) : undefined
    expect(kept?.scopes.map(({ key }) => key)).toEqual(['openid', 'diary.read.old'])
  })

  test('is not granted when it is defined again, also after the deletion of its client', async () => {
    const reader = await organization.app({ name: 'Bralka' })
    const granted = async () => {
      await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: ['openid', 'poems.read'] })
      const consent = await bor.call(connections.getConsent, { client: reader.client_id, scopes: 'poems.read' })
      return consent.ok && consent.data.scopes[0]?.granted
    }
    const maker = await organization.app()
    await define(maker.client_id, 'poems.read')
    await granted()
    await allow(bor, reader, 'openid poems.read')
    expect(await granted()).toBe(true)

    await ana.call(scopes.removeScope, { id: maker.client_id, key: 'poems.read' })
    await define(maker.client_id, 'poems.read')
    expect(await granted()).toBe(false)

    await allow(bor, reader, 'openid poems.read')
    await ana.call(clients.deleteClient, { id: maker.client_id })
    await define((await organization.app()).client_id, 'poems.read')
    expect(await granted()).toBe(false)
  })
})

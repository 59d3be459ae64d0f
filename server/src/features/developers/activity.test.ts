import { clients, developers } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people, studio } from '../../../test/people.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
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

type Filter = { type?: developers.DeveloperActivityType; user_id?: string; client_id?: string }

async function entries(filter: Filter = {}) {
  const answer = await ana.call(developers.listDeveloperActivity, filter)
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data
}

/** Lists entries since the developer account was created, oldest first. */
async function entriesSinceCreation(filter: Filter = {}) {
  return (await entries(filter)).map(({ type, params }) => [type, params] as const).reverse()
}

describe('developer activity', () => {
  test('records changed fields, and no entry for an update without a change', async () => {
    await createOrganization(server, ana)
    await ana.call(developers.updateDeveloper, { name: 'Kras', website: null, company: 'Kras d.o.o.' })
    await ana.call(developers.updateDeveloper, { name: 'Kras' })
    await ana.call(developers.setLogo, { logo: fileOf(await halves('png')) })
    await ana.call(developers.removeLogo)
    await ana.call(developers.removeLogo)
    expect(await entriesSinceCreation()).toEqual([
      ['CREATED_DEVELOPER', { name: studio.name }],
      ['EDITED_DEVELOPER', { name: studio.name, fields: 'name company' }],
      ['CHANGED_LOGO', {}],
      ['CHANGED_LOGO', { removed: 'true' }],
    ])
  })

  test('keeps entries of deleted clients with the names of that time', async () => {
    await createOrganization(server, ana)
    const made = await ana.call(clients.createClient, { name: 'Burja' })
    if (!made.ok) throw new Error(made.problem.code)
    const id = made.data.client_id
    const redirect_uri = 'https://burja.example/cb'
    const origin = 'https://burja.example'
    await ana.call(clients.updateClientInfo, { id, name: 'Burja 2', description: null })
    await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'phone'] })
    await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'phone'] })
    await ana.call(clients.updateClientInfo, { id, enabled: true })
    await ana.call(clients.updateClientInfo, { id, enabled: false })
    await ana.call(clients.updateClientInfo, { id, enabled: true })
    await ana.call(clients.setIcon, { id, icon: fileOf(await halves('png')) })
    await ana.call(clients.removeIcon, { id })
    await ana.call(clients.addRedirectUri, { id, redirect_uri })
    await ana.call(clients.removeRedirectUri, { id, redirect_uri })
    await ana.call(clients.addOrigin, { id, origin })
    await ana.call(clients.removeOrigin, { id, origin })
    await ana.call(clients.updateAdvanced, { id, allow_popup: true, require_pkce: true })
    await ana.call(clients.updateAdvanced, { id, allow_popup: true })
    await ana.call(clients.regenerateSecret, { id, grace: true })
    await ana.call(clients.deleteClient, { id })
    const name = 'Burja 2'
    expect((await entriesSinceCreation()).slice(1)).toEqual([
      ['CREATED_APP', { name: 'Burja' }],
      ['EDITED_APP', { name: 'Burja', fields: 'name' }],
      ['CHANGED_APP_SCOPES', { name, added: 'phone', removed: 'profile email' }],
      ['DISABLED_APP', { name }],
      ['ENABLED_APP', { name }],
      ['CHANGED_ICON', { name }],
      ['CHANGED_ICON', { name, removed: 'true' }],
      ['ADDED_REDIRECT_URI', { name, redirect_uri }],
      ['REMOVED_REDIRECT_URI', { name, redirect_uri }],
      ['ADDED_ORIGIN', { name, origin }],
      ['REMOVED_ORIGIN', { name, origin }],
      ['CHANGED_ADVANCED', { name, fields: 'allow_popup' }],
      ['REGENERATED_SECRET', { name, grace: 'true' }],
      ['DELETED_APP', { name }],
    ])
    expect(await entriesSinceCreation({ client_id: id })).toHaveLength(14)
    expect((await entries({ client_id: id }))[0]).toMatchObject({ app: null, user: { id: ana.user.id } })
  })

  test('records nothing for a rejected call', async () => {
    const organization = await createOrganization(server, ana)
    const { client_id: id } = await organization.app()
    const before = await entriesSinceCreation()
    await organization.join(bor, 'member')
    await bor.call(clients.updateClientInfo, { id, name: 'Njegova' })
    await ana.call(clients.updateAdvanced, { id, require_pkce: false, require_client_secret: false })
    await ana.call(clients.addRedirectUri, { id, redirect_uri: 'http://localhost:4000/callback' })
    expect(await entriesSinceCreation()).toEqual(before)
  })

  test('lists pages newest first, filtered by type, user and client', async () => {
    const organization = await createOrganization(server, ana)
    const { client_id: id } = await organization.app()
    await organization.join(bor, 'developer')
    for (const name of ['A', 'B', 'C']) await bor.call(clients.updateClientInfo, { id, name })
    const all = await entries()
    expect(all.map(({ id }) => id)).toEqual([...all.map(({ id }) => id)].sort().reverse())
    expect(all[0]).toMatchObject({ user: { id: bor.user.id, name: 'Bor Horvat' }, app: { client_id: id, name: 'C' } })
    expect((await entries({ user_id: bor.user.id })).length).toBe(3)
    expect((await entriesSinceCreation({ user_id: ana.user.id })).map(([type]) => type)).toEqual([
      'CREATED_DEVELOPER',
      'CREATED_APP',
    ])
    expect((await entriesSinceCreation({ type: 'CREATED_APP' })).length).toBe(1)
    const first = await ana.call(developers.listDeveloperActivity, { limit: 3 })
    const next = await ana.call(developers.listDeveloperActivity, {
      limit: 3,
      cursor: String(first.ok && first.next_cursor),
    })
    expect([...(first.ok ? first.data : []), ...(next.ok ? next.data : [])]).toEqual(all)
    expect(next).toMatchObject({ next_cursor: null })
  })

  test('keeps entries of a deleted account', async () => {
    const organization = await createOrganization(server, ana)
    const gone = await server.as(people.drago)
    await organization.join(gone, 'developer')
    await gone.call(clients.createClient, { name: 'Burja' })
    await server.store.db.deleteFrom('users').where('id', '=', gone.user.id).execute()
    expect((await entries())[0]).toMatchObject({ type: 'CREATED_APP', user: null, params: { name: 'Burja' } })
  })
})

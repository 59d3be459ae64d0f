import { LIMITS, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
let notes: string

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  notes = (await organization.app({ name: 'Notes' })).client_id
  for (const key of ['notes.read', 'notes.write']) {
    good(await ana.call(scopes.defineScope, { id: notes, key, title: { 'en-US': key } }))
  }
})
afterAll(() => server.close())

const add = (identifier: string, more: { id?: string; scopes?: string[] } = {}) =>
  ana.call(scopes.addResource, { id: notes, identifier, name: 'Notes API', scopes: ['notes.read'], ...more })

describe('API identifiers of an app', () => {
  test('are added with some scopes of the app, listed and removed, and the activity names them', async () => {
    const added = good(await add('https://api.notes.example/v1', { scopes: ['notes.write', 'notes.read'] }))
    expect(added).toMatchObject({
      identifier: 'https://api.notes.example/v1',
      name: 'Notes API',
      scopes: ['notes.read', 'notes.write'],
    })
    expect(good(await ana.call(scopes.listResources, { id: notes }))).toEqual([added])
    const { resource_id } = added
    expect(good(await ana.call(scopes.removeResource, { id: notes, resource_id }))).toEqual({})
    expect(good(await ana.call(scopes.listResources, { id: notes }))).toEqual([])
    expect(await ana.call(scopes.removeResource, { id: notes, resource_id })).toMatchObject({ http: 404 })
    const rows = await server.store.read.selectFrom('developer_activities').select(['type', 'params']).execute()
    const recorded = rows.filter(({ type }) => type.endsWith('_RESOURCE')).map(({ params }) => JSON.parse(params))
    expect(recorded).toEqual([1, 2].map(() => ({ name: 'Notes', resource: 'https://api.notes.example/v1' })))
  })

  test('belong to one app of the installation, with or without the slash after the host', async () => {
    const other = (await organization.app({ name: 'Other' })).client_id
    good(await ana.call(scopes.defineScope, { id: other, key: 'other.read', title: { 'en-US': 'Read' } }))
    expect(good(await add('https://once.example/')).identifier).toBe('https://once.example')
    const again = await add('https://once.example', { id: other, scopes: ['other.read'] })
    expect(again).toMatchObject({ problem: { code: 'resource_taken', fields: { identifier: 'taken' } } })
  })

  test.each([
    ['http://api.example', 'https_required'],
    ['https://api.example/#part', 'no_fragment'],
    ['https://API.example/v1', 'invalid_url'],
    ['urn:api', 'invalid_url'],
  ])('cannot be %s (%s)', async (identifier, code) => {
    expect(await add(identifier)).toMatchObject({ http: 400, problem: { fields: { identifier: code } } })
  })

  test('cannot be an address of this server, whose names belong to apps already', async () => {
    const own = await add(`${server.config.url}/resources/${notes}`)
    expect(own).toMatchObject({ http: 409, problem: { code: 'resource_taken' } })
  })

  test('can be on loopback only while the server is', async () => {
    expect(good(await add('http://localhost:4100/mcp')).identifier).toBe('http://localhost:4100/mcp')
    const url = server.config.url
    server.config.url = 'https://accounts.example'
    const refused = await add('http://localhost:4101/mcp')
    server.config.url = url
    expect(refused).toMatchObject({ http: 400, problem: { fields: { identifier: 'https_required' } } })
  })

  test('contain scopes that this app defines, and lose those that are removed', async () => {
    for (const key of ['openid', 'other.read', 'notes.missing']) {
      expect(await add('https://wrong.example', { scopes: [key] }), key).toMatchObject({
        problem: { code: 'unknown_scope', fields: { scopes: 'unknown' } },
      })
    }
    good(await ana.call(scopes.defineScope, { id: notes, key: 'notes.gone', title: { 'en-US': 'Gone' } }))
    const { resource_id } = good(await add('https://fewer.example', { scopes: ['notes.read', 'notes.gone'] }))
    good(await ana.call(scopes.removeScope, { id: notes, key: 'notes.gone' }))
    const listed = good(await ana.call(scopes.listResources, { id: notes }))
    expect(listed.find((one) => one.resource_id === resource_id)?.scopes).toEqual(['notes.read'])
  })

  test('are limited in number', async () => {
    const full = (await organization.app({ name: 'Full' })).client_id
    good(await ana.call(scopes.defineScope, { id: full, key: 'full.read', title: { 'en-US': 'Read' } }))
    const more = { id: full, scopes: ['full.read'] }
    for (let n = 0; n < LIMITS.resources_per_client; n++) good(await add(`https://full-${n}.example`, more))
    expect(await add('https://full.example', more)).toMatchObject({ problem: { code: 'too_many_resources' } })
  })
})

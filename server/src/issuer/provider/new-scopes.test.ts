import { clients, connections, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import {
  allow,
  authorize,
  follow,
  here,
  post,
  proofKey,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../../test/third-party.ts'
import { CurrentProvider } from './current-provider.ts'
import { KnownScopes } from './known-scopes.ts'

let server: TestServer
let otherNode: TestServer
let ana: SignedIn
let organization: Organization

beforeAll(async () => {
  server = await startTestServer()
  otherNode = await server.secondNode()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(async () => {
  await otherNode.close()
  await server.close()
})

/** The same browser, at another server process. */
function at(node: TestServer): SignedIn {
  const browser = node.browser()
  for (const [name, value] of ana.cookies) browser.cookies.set(name, value)
  return { ...browser, user: ana.user }
}

const define = (id: string, key: string, more: object = {}) =>
  ana.call(scopes.defineScope, { id, key, title: { 'en-US': 'Read notes' }, ...more })

/** A client that may request these scopes. */
async function clientWith(keys: string[]): Promise<ThirdParty> {
  const app = await organization.app({ name: 'Bralka' })
  await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: keys })
  return app
}

const introspect = async (node: TestServer, app: ThirdParty, token: string) =>
  (await post(node, app, '/introspect', { token })).json()

describe('a new scope', () => {
  test('can be requested, granted and issued on another node at once', async () => {
    const maker = await organization.app()
    for (const n of [1, 2, 3]) {
      // A request for an unknown scope must not delay the next look-up.
      const key = `notes.n${n}`
      await authorize(at(otherNode), maker, { scope: `openid ${key}` })
      await define(maker.client_id, key)
      const app = await clientWith(['openid', key])
      const scope = `openid ${key}`
      const person = at(otherNode)
      const consent = await follow(person, here(await authorize(person, app, { scope })))
      expect(consent.searchParams.get('scope')).toBe(scope)
      await allow(person, app, scope)
      const tokens = await signInTo(otherNode, person, app, { scope })
      expect(tokens.scope).toBe(scope)
      expect(await introspect(otherNode, app, tokens.access_token)).toMatchObject({ active: true, scope })
      // The client that defines it is its resource server.
      expect(await introspect(otherNode, maker, tokens.access_token)).toMatchObject({ active: true, scope: key })
    }
  })
})

test('a new scope can be pushed to another node at once', async () => {
  const maker = await organization.app()
  const key = 'pushed.read'
  await define(maker.client_id, key)
  const app = await clientWith(['openid', key])
  const scope = `openid ${key}`
  const { challenge } = proofKey()
  const form = { response_type: 'code', redirect_uri: jadrolet.redirect_uri, scope, code_challenge: challenge }
  const pushed = await post(otherNode, app, '/par', {
    ...form,
    client_id: app.client_id,
    code_challenge_method: 'S256',
  })
  const { request_uri } = pushed.json()
  const person = at(otherNode)
  const asked = new URLSearchParams({ client_id: app.client_id, request_uri })
  const consent = await follow(person, here(await follow(person, `/authorize?${asked}`)))
  expect(consent.searchParams.get('scope')).toBe(scope)
})

// SQLite serves one process only.
test.runIf(testEngine === 'postgres')('a client that is cached on another node may request it there soon', async () => {
  const maker = await organization.app()
  const app = await clientWith(['openid'])
  await allow(ana, app, 'openid')
  await signInTo(otherNode, at(otherNode), app, { scope: 'openid' })
  await define(maker.client_id, 'waves.read')
  await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'waves.read'] })
  const scope = 'openid waves.read'
  const granted = async () => {
    await allow(at(otherNode), app, scope)
    return (await signInTo(otherNode, at(otherNode), app, { scope })).scope
  }
  await expect.poll(granted).toBe(scope)
})

describe('a scope that is removed', () => {
  test('is removed from tokens on every node at once, and requests continue without it', async () => {
    const maker = await organization.app()
    await define(maker.client_id, 'tides.read')
    const app = await clientWith(['openid', 'tides.read'])
    const scope = 'openid tides.read'
    await allow(ana, app, scope)
    const tokens = await signInTo(server, ana, app, { scope })
    await ana.call(scopes.removeScope, { id: maker.client_id, key: 'tides.read' })
    for (const node of [server, otherNode]) {
      expect(await introspect(node, app, tokens.access_token)).toMatchObject({ active: true, scope: 'openid' })
      expect(await introspect(node, maker, tokens.access_token)).toEqual({ active: false })
      expect((await userinfo(node, tokens.access_token)).statusCode).toBe(200)
    }
    const fresh = await refresh(otherNode, app, tokens.refresh_token)
    expect(fresh.json()).toMatchObject({ scope: 'openid' })
    // A request that still names it gets the other scopes.
    const again = await signInTo(server, ana, app, { scope })
    expect(again.scope).toBe('openid')
  })
})

describe('consent to scopes of clients', () => {
  test('has localized titles, marks sensitive scopes and requires the required ones', async () => {
    const maker = await organization.app()
    await define(maker.client_id, 'health.read', {
      title: { 'en-US': 'Read your health record', 'sl-SI': 'Vpogled v zdravstveni karton' },
      sensitive: true,
      required: true,
    })
    await define(maker.client_id, 'health.steps')
    const app = await clientWith(['openid', 'health.read', 'health.steps'])
    const asked = await ana.call(connections.getConsent, {
      client: app.client_id,
      scopes: 'openid health.read health.steps',
    })
    expect(asked).toMatchObject({
      data: {
        scopes: [
          { key: 'openid', required: true, sensitive: false },
          { key: 'health.read', title: 'Vpogled v zdravstveni karton', required: true, sensitive: true },
          { key: 'health.steps', title: 'Read notes', required: false, sensitive: false },
        ],
      },
    })

    const interaction = await authorize(ana, app, { scope: 'openid health.read health.steps' })
    await ana.request({ url: here(interaction) })
    const uid = here(interaction).split('/')[2] as string
    const answer = (wanted: string[]) =>
      ana.call(connections.submitConsent, { client: app.client_id, scopes: wanted, uid })
    expect(await answer(['openid', 'health.steps'])).toMatchObject({ problem: { fields: { scopes: 'required' } } })
    expect(await answer(['openid', 'health.read'])).toMatchObject({
      data: { scopes: ['openid', 'health.read'], redirect_to: expect.any(String) },
    })
  })
})

describe('the catalog in memory', () => {
  const row = (key: string, client_id: string, created_at: string) =>
    ({ key, client_id, created_at, sensitive: 0, required: 0, search: key }) as const

  test('changes in place: an edit reads only its scope and creates no provider', async () => {
    const current = await CurrentProvider.open(server.deps)
    const { client_id: id } = await organization.app()
    const before = current.snapshot()
    await define(id, 'rivers.read')
    await expect.poll(() => current.snapshot().scopes.get('rivers.read')).toBe(id)
    expect(current.snapshot()).toBe(before)
    expect(before.scopes.definedBy(id)).toEqual(['rivers.read'])
    await ana.call(scopes.removeScope, { id, key: 'rivers.read' })
    await expect.poll(() => before.scopes.has('rivers.read')).toBe(false)
    expect(before.scopes.definedBy(id)).toEqual([])
    expect(before.scopes.has('openid')).toBe(true)
    await current.close()
  })

  test('notices scopes that were defined and removed without a signal, page by page', async () => {
    const { client_id: id } = await organization.app()
    const { db, read } = server.store
    const known = await KnownScopes.load(read)
    const later = new Date(server.clock.now().getTime() + 1000).toISOString()
    const keys = Array.from({ length: 2500 }, (_, n) => `lakes.n${n}`)
    for (let n = 0; n < keys.length; n += 500) {
      const some = keys.slice(n, n + 500)
      await db
        .insertInto('scopes')
        .values(some.map((key) => row(key, id, later)))
        .execute()
    }
    await known.reloadIfChanged(read)
    expect(known.definedBy(id)).toHaveLength(2500)
    await db.deleteFrom('scopes').where('key', '=', 'lakes.n7').execute()
    await known.reloadIfChanged(read)
    expect([known.has('lakes.n7'), known.has('lakes.n8')]).toEqual([false, true])
    await db.deleteFrom('scopes').where('client_id', '=', id).execute()
    await known.reloadIfChanged(read)
    expect([known.definedBy(id), known.has('lakes.n8')]).toEqual([[], false])
  })
})

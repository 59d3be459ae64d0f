import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { clients, scopes, sessions, users } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, post, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** Pairwise subject identifiers (OpenID Connect Core §8). */
let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
/** Serves lists of redirect URIs, and receives logout tokens. */
let site: Server
let origin: string
let list: unknown
let fetched: number
/** Runs before a list is answered. */
let meanwhile: (() => Promise<void>) | undefined
let logoutTokens: string[]

beforeAll(async () => {
  server = await startTestServer()
  site = createServer(async (request, response) => {
    if (request.method === 'POST') {
      logoutTokens.push(new URLSearchParams(await text(request)).get('logout_token') ?? '')
      response.end()
      return
    }
    fetched += 1
    await meanwhile?.()
    response.writeHead(list === undefined ? 404 : 200).end(JSON.stringify(list))
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(async () => {
  site?.close()
  await server?.close()
})
beforeEach(async () => {
  list = undefined
  fetched = 0
  meanwhile = undefined
  logoutTokens = []
  ana = await server.as(people.ana)
  await ana.call(sessions.refresh, { developer_id: organization.developer_id })
  bor = await server.as(people.bor)
})

async function appAt(redirect_uri: string, settings: Partial<clients.Advanced> = { subject_type: 'pairwise' }) {
  const made = await ana.call(clients.createClient, { name: 'Jadrolet', redirect_uri })
  if (!made.ok) throw new Error(made.problem.code)
  const app: ThirdParty = { ...made.data, redirect_uri }
  expect(await set(app, settings)).toMatchObject({ ok: true })
  for (const person of [ana, bor]) await allow(person, app)
  return app
}
const set = (app: ThirdParty, changes: Partial<clients.Advanced>) =>
  ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })
const subAt = async (app: ThirdParty, person = bor) => decodeJwt((await signInTo(server, person, app)).id_token).sub

describe('the sub of a user', () => {
  test('differs between sectors, is the same in one, and does not contain the id of the user', async () => {
    const one = await appAt('https://one.example/callback')
    const same = await appAt('https://one.example/other')
    const two = await appAt('https://two.example/callback')
    const open = await appAt('https://open.example/callback', {})
    const [sub, again, ofTwo, ofOpen, ofAna] = [
      await subAt(one),
      await subAt(same),
      await subAt(two),
      await subAt(open),
      await subAt(one, ana),
    ]
    expect(again).toBe(sub)
    expect(await subAt(one)).toBe(sub)
    expect(ofOpen).toBe(bor.user.id)
    expect(new Set([sub, ofTwo, ofOpen, ofAna]).size).toBe(4)
    expect(sub).toMatch(/^[\w-]{43}$/)
  })

  test('is the same in ID token, userinfo, introspection and refreshed tokens', async () => {
    const app = await appAt('https://one.example/callback')
    const tokens = await signInTo(server, bor, app)
    const { sub } = decodeJwt(tokens.id_token)
    expect((await userinfo(server, tokens.access_token)).json().sub).toBe(sub)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await post(server, app, '/introspect', { token })).json()).toMatchObject({ active: true, sub })
    }
    const refreshed = (await refresh(server, app, tokens.refresh_token)).json()
    expect(decodeJwt(refreshed.id_token).sub).toBe(sub)
    expect((await userinfo(server, refreshed.access_token)).json().sub).toBe(sub)
  })

  test('is that of the client in a JWT access token and its introspection, until access ends', async () => {
    const api = await appAt('https://api.example/callback', { access_token_format: 'jwt' })
    const scope = 'karte.read'
    good(await ana.call(scopes.defineScope, { id: api.client_id, key: scope, title: { 'en-US': 'Tickets' } }))
    const app = await appAt('https://one.example/callback')
    await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'profile', 'email', scope] })
    await allow(bor, app, `openid profile email ${scope}`)
    const sub = await subAt(app)
    const { access_token } = await signInTo(server, bor, app, {
      scope,
      resource: `${server.config.url}/resources/${api.client_id}`,
    })
    expect(decodeJwt(access_token)).toMatchObject({ sub, client_id: app.client_id })
    const inspected = async () => (await post(server, api, '/introspect', { token: access_token })).json()
    expect(await inspected()).toMatchObject({ active: true, sub })
    const { user } = bor
    await server.store.db
      .updateTable('users')
      .set((e) => ({ token_generation: e('token_generation', '+', 1) }))
      .where('id', '=', user.id)
      .execute()
    expect(await inspected()).toEqual({ active: false })
  })

  test('is compared with id_token_hint and with sub in claims', async () => {
    const app = await appAt('https://one.example/callback')
    const { id_token } = await signInTo(server, bor, app)
    const ofAna = await signInTo(server, ana, app)
    const silently = async (params: Record<string, string>) =>
      (await authorize(bor, app, { prompt: 'none', ...params })).searchParams
    expect((await silently({ id_token_hint: id_token })).get('code')).toBeTruthy()
    expect((await silently({ id_token_hint: ofAna.id_token })).get('error')).toBe('login_required')
    const claims = (sub: unknown) => ({ claims: JSON.stringify({ id_token: { sub: { value: sub } } }) })
    expect((await silently(claims(decodeJwt(id_token).sub))).get('code')).toBeTruthy()
    expect((await silently(claims(bor.user.id))).get('error')).toBe('login_required')
  })

  test('is in the logout token and in the details that the organization sees', async () => {
    const app = await appAt('https://one.example/callback')
    await set(app, { backchannel_logout_uri: `${origin}/signed-out` })
    const person = await server.as(people.bor)
    const { id_token } = await signInTo(server, person, app)
    const { sub } = decodeJwt(id_token)
    await person.call(sessions.logout, {})
    await server.outbox()
    expect(logoutTokens.map((token) => decodeJwt(token).sub)).toEqual([sub])
    const details = await ana.call(users.getUser, { id: bor.user.id })
    const ofApp = details.ok && details.data.clients.find(({ client_id }) => client_id === app.client_id)
    expect(ofApp).toMatchObject({ sub })
  })
})

const FIRST = 'https://one.example/callback'
const SECOND = 'https://two.example/callback'

describe('the sector of an app', () => {
  test('is the host of its redirect URIs, which cannot change to another one', async () => {
    const app = await appAt(FIRST)
    const add = (redirect_uri: string) => ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri })
    expect(await add('https://one.example/more')).toMatchObject({ ok: true })
    expect(await add(SECOND)).toMatchObject({ http: 400, problem: { fields: { redirect_uri: 'other_sector' } } })
    for (const redirect_uri of [FIRST, 'https://one.example/more']) {
      await ana.call(clients.removeRedirectUri, { id: app.client_id, redirect_uri })
    }
    expect(await add(SECOND)).toMatchObject({ problem: { fields: { redirect_uri: 'other_sector' } } })
    // Other settings do not depend on it.
    expect(await set(app, { access_token_ttl: 120 })).toMatchObject({ ok: true })
  })

  test('needs a sector_identifier_uri for redirect URIs on several hosts, or none', async () => {
    const app = await appAt(FIRST, {})
    await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri: SECOND })
    const refused = { http: 400, problem: { fields: { sector_identifier_uri: 'sector_required' } } }
    expect(await set(app, { subject_type: 'pairwise' })).toMatchObject(refused)
    const empty = await ana.call(clients.createClient, { name: 'Empty' })
    const id = empty.ok ? empty.data.client_id : ''
    expect(await ana.call(clients.updateAdvanced, { id, subject_type: 'pairwise' })).toMatchObject(refused)
  })

  test('is the host of the sector_identifier_uri, whose list contains all redirect URIs', async () => {
    const app = await appAt(FIRST, {})
    const other = await appAt(SECOND, {})
    const sector_identifier_uri = `${origin}/sector.json`
    const both = { subject_type: 'pairwise', sector_identifier_uri } as const
    const refused = (code: string) => ({ http: 400, problem: { fields: { sector_identifier_uri: code } } })
    expect(await set(app, both)).toMatchObject(refused('sector_unreadable'))
    for (const wrong of [{ redirect_uris: [FIRST] }, [FIRST, 7], 'text']) {
      list = wrong
      expect(await set(app, both)).toMatchObject(refused('sector_unreadable'))
    }
    list = [SECOND]
    expect(await set(app, both)).toMatchObject(refused('not_listed'))
    expect(await ana.call(clients.getAdvanced, { id: app.client_id })).toMatchObject({
      data: { subject_type: 'public', sector_identifier_uri: null },
    })
    list = [FIRST, SECOND]
    expect(await set(app, both)).toMatchObject({ data: both })
    expect(await set(other, both)).toMatchObject({ data: both })
    expect(await subAt(app)).toBe(await subAt(other))
    expect(await subAt(app)).not.toBe(bor.user.id)

    const add = (redirect_uri: string) => ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri })
    expect(await add(SECOND)).toMatchObject({ ok: true })
    expect(await add('https://three.example/')).toMatchObject({ problem: { fields: { redirect_uri: 'not_listed' } } })
    fetched = 0
    expect(await set(app, { access_token_ttl: 120 })).toMatchObject({ ok: true })
    expect(fetched).toBe(0)
  })

  test('is the new one for a redirect URI that is added while another member changes the sector_identifier_uri', async () => {
    list = [FIRST, SECOND]
    const app = await appAt(FIRST, { subject_type: 'pairwise', sector_identifier_uri: `${origin}/one.json` })
    meanwhile = async () => {
      meanwhile = undefined
      expect(await set(app, { sector_identifier_uri: `${origin}/two.json` })).toMatchObject({ ok: true })
    }
    fetched = 0
    const added = await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri: SECOND })
    expect(good(added)).toEqual([FIRST, SECOND])
    expect(fetched).toBe(3)
  })

  test('is not fetched for a user who may not change the app', async () => {
    const app = await appAt(FIRST, {})
    await organization.join(bor, 'analyst')
    const change = { id: app.client_id, subject_type: 'pairwise', sector_identifier_uri: `${origin}/s` } as const
    expect(await bor.call(clients.updateAdvanced, change)).toMatchObject({ http: 403 })
    expect(fetched).toBe(0)
  })

  test.each(['native', 'service'] as const)('does not exist for a %s app', async (type) => {
    const made = await ana.call(clients.createClient, { name: 'App', type })
    const id = made.ok ? made.data.client_id : ''
    expect(await ana.call(clients.updateAdvanced, { id, subject_type: 'pairwise' })).toMatchObject({
      http: 400,
      problem: { fields: { subject_type: 'wrong' } },
    })
  })
})

test('discovery names both subject types', async () => {
  const discovery = (await server.app.inject({ url: '/.well-known/openid-configuration' })).json()
  expect(discovery.subject_types_supported).toEqual(['public', 'pairwise'])
})

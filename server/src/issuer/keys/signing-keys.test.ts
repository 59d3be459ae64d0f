import { clients, LIFETIMES, scopes } from '@vrata/contract'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, post, signInTo, type ThirdParty } from '../../../test/third-party.ts'
import { ALGORITHMS, ensureKeys, listKeys, revokeKeys, rotateKeys, rotateWhenDue } from './signing-keys.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
let app: ThirdParty

beforeAll(async () => {
  // With another secret, the server generates keys.
  server = await startTestServer({
    VRATA_SECRET: 'a secret of the tests of signing keys, of a good length',
    // How many sign-ins there are under load depends on how long it takes to find the primes of the keys.
    VRATA_LIMITS_FACTOR: '100',
  })
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server.close())

const COMMAND = { command: 'a test' }

const published = async () => (await server.app.inject('/jwks')).json() as JSONWebKeySet
const keys = () => listKeys(server.deps)
const publishedIds = async () => (await published()).keys.map(({ kid }) => kid)
/** Announces a change, upon which a node reads keys and scopes again. */
const renewSnapshot = () => server.deps.signals.announce('issuer', 'keys')

describe('signing keys', () => {
  test('the first start creates an active and a next key of each algorithm, the second none', async () => {
    const created = await keys()
    expect(created.map(({ alg, state }) => `${alg} ${state}`).sort()).toEqual([
      'ES256 active',
      'ES256 next',
      'EdDSA active',
      'EdDSA next',
      'RS256 active',
      'RS256 next',
    ])
    await Promise.all([ensureKeys(server.deps), ensureKeys(server.deps)])
    expect(await keys()).toEqual(created)
  })

  test('only public keys are published, each with kid, use and alg', async () => {
    const answer = await server.app.inject('/jwks')
    expect(answer.headers['cache-control']).toBe('public, max-age=600')
    for (const key of (answer.json() as JSONWebKeySet).keys) {
      expect(key).toMatchObject({
        kid: expect.any(String),
        use: 'sig',
        alg: expect.stringMatching(/^(ES256|RS256|EdDSA)$/),
      })
      expect(Object.keys(key).filter((part) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(part))).toEqual([])
    }
  })

  test('keys of EdDSA are published once an app has chosen it, which some libraries could not read', async () => {
    const types = async () => new Set((await published()).keys.map(({ kty }) => kty))
    expect(await types()).toEqual(new Set(['EC', 'RSA']))
    const chosen = await organization.app({ name: 'Burja' })
    const input = { id: chosen.client_id, id_token_signed_response_alg: 'EdDSA' } as const
    good(await ana.call(clients.updateAdvanced, input))
    await expect.poll(types).toEqual(new Set(['EC', 'RSA', 'OKP']))
    await allow(ana, chosen)
    const { id_token } = await signInTo(server, ana, chosen)
    const { protectedHeader } = await jwtVerify(id_token, createLocalJWKSet(await published()))
    expect(protectedHeader.alg).toBe('EdDSA')
  })

  test('rotation activates the published next key; former signatures stay valid', async () => {
    const before = await published()
    const old = await signInTo(server, ana, app)
    const successor = (await keys()).find(({ alg, state }) => alg === 'RS256' && state === 'next')
    await rotateKeys(server.deps, COMMAND)
    await settled()
    const now = await signInTo(server, ana, app)
    expect(decodeProtectedHeader(now.id_token).kid).toBe(successor?.kid)
    // A client that has fetched the keys before the rotation has the new one.
    const cached = createLocalJWKSet(before)
    await jwtVerify(now.id_token, cached, { issuer: server.config.url, audience: app.client_id })
    await jwtVerify(old.id_token, createLocalJWKSet(await published()), { issuer: server.config.url })
    const hint = await authorize(ana, app, { id_token_hint: old.id_token, prompt: 'none' })
    expect(hint.searchParams.get('code')).toBeTruthy()
  })

  test('a retired key is published as long as a token that it signed can live, and then verifies hints only', async () => {
    const { id_token } = await signInTo(server, ana, app)
    const kid = decodeProtectedHeader(id_token).kid as string
    await rotateKeys(server.deps, COMMAND)
    await expect.poll(publishedIds).toContain((await keys()).find(({ state }) => state === 'next')?.kid)
    server.clock.advance(LIFETIMES.access_token_max + 59)
    await renewSnapshot()
    expect(await publishedIds()).toContain(kid)
    server.clock.advance(2)
    await renewSnapshot()
    await expect.poll(publishedIds).not.toContain(kid)
    expect((await keys()).find((key) => key.kid === kid)).toMatchObject({ state: 'retired', published: false })
    ana = await server.as(people.ana)
    const hint = await authorize(ana, app, { id_token_hint: id_token, prompt: 'none' })
    expect(hint.searchParams.get('code')).toBeTruthy()
  })

  test('a revoked key ends at once on every node: not published, no signature accepted', async () => {
    const second = await server.secondNode()
    const { resource, jwt } = await jwtAccessToken()
    const { id_token } = await signInTo(server, ana, app)
    const kids = [id_token, jwt].map((token) => decodeProtectedHeader(token).kid as string)
    const isActive = async () => (await post(server, resource, '/introspect', { token: jwt })).json().active
    expect(await isActive()).toBe(true)
    const next = (await keys()).filter(({ state }) => state === 'next')

    await revokeKeys(server.deps, COMMAND, [...new Set(kids)])
    for (const node of [server, second]) {
      const listed = async () => ((await node.app.inject('/jwks')).json() as JSONWebKeySet).keys.map(({ kid }) => kid)
      await expect.poll(async () => (await listed()).filter((kid) => kids.includes(kid as string))).toEqual([])
    }
    expect(await isActive()).toBe(false)
    const hint = await authorize(ana, app, { id_token_hint: id_token, prompt: 'none' })
    expect(hint.searchParams.get('error')).toBe('invalid_request')
    const now = await signInTo(server, ana, app)
    expect(next.map(({ kid }) => kid)).toContain(decodeProtectedHeader(now.id_token).kid)
    await jwtVerify(now.id_token, createLocalJWKSet(await published()), { issuer: server.config.url })
    const states = (await keys()).filter(({ state }) => state !== 'retired').map(({ alg, state }) => `${alg} ${state}`)
    expect(states.sort()).toEqual(ALGORITHMS.flatMap((alg) => [`${alg} active`, `${alg} next`]).sort())
    await second.close()
  })

  test('active, next and retired keys can be revoked together; an unknown one revokes none', async () => {
    const all = (await keys()).map(({ kid }) => kid)
    await expect(revokeKeys(server.deps, COMMAND, [...all, 'unknown'])).rejects.toThrow('no signing key unknown')
    expect((await keys()).map(({ kid }) => kid)).toEqual(all)
    await revokeKeys(server.deps, COMMAND, all)
    const left = await keys()
    expect(left.filter(({ kid }) => all.includes(kid))).toEqual([])
    expect(left.map(({ alg, state }) => `${alg} ${state}`).sort()).toEqual(
      ALGORITHMS.flatMap((alg) => [`${alg} active`, `${alg} next`]).sort(),
    )
    await settled()
    const { id_token } = await signInTo(server, ana, app)
    await jwtVerify(id_token, createLocalJWKSet(await published()), { issuer: server.config.url })
  })

  test('rotating under load fails no request', async () => {
    const cached = createLocalJWKSet(await published())
    let busy = true
    let signed = 0
    const load = Array.from({ length: 4 }, async () => {
      while (busy) {
        const { id_token } = await signInTo(server, ana, app)
        await jwtVerify(id_token, createLocalJWKSet(await published()), { issuer: server.config.url })
        signed += 1
      }
    })
    const before = await signInTo(server, ana, app)
    for (let rotation = 0; rotation < 3; rotation += 1) await rotateKeys(server.deps, COMMAND)
    busy = false
    await Promise.all(load)
    expect(signed).toBeGreaterThan(4)
    await jwtVerify(before.id_token, cached)
  })

  test('a retired key is deleted when nothing that it signed can be presented', async () => {
    const count = (await keys()).length
    server.clock.advance(LIFETIMES.refresh_absolute + 1)
    await rotateKeys(server.deps, COMMAND)
    expect((await keys()).length).toBeLessThan(count)
    expect((await keys()).filter(({ state }) => state === 'retired')).toHaveLength(ALGORITHMS.length)
  })

  test('keys rotate after 90 days, once', async () => {
    const signing = async () => (await keys()).filter(({ state }) => state === 'active').map(({ kid }) => kid)
    const before = await signing()
    await rotateWhenDue(server.deps)
    expect(await signing()).toEqual(before)
    server.clock.advance(LIFETIMES.signing_keys + 1)
    const next = (await keys()).filter(({ state }) => state === 'next').map(({ kid }) => kid)
    await Promise.all([rotateWhenDue(server.deps), rotateWhenDue(server.deps)])
    expect((await signing()).sort()).toEqual(next.sort())
  })
})

test.runIf(testEngine === 'postgres')(
  'two servers: three rotations under load fail no verification at either',
  async () => {
    const first = await startTestServer()
    const { database_url } = first.config
    const second = await startTestServer({ VRATA_DATABASE_URL: database_url as string })
    const bor = await first.as(people.bor)
    const theirs = await (await createOrganization(first, bor)).app()
    await allow(bor, theirs)
    let busy = true
    let verified = 0
    const failures: unknown[] = []
    const load = [first, second, first, second].map(async (node, n) => {
      while (busy) {
        const { id_token } = await signInTo(node, { ...bor, ...browserAt(node, bor) }, theirs)
        // The client fetches the keys from either server.
        const other = n % 2 ? first : second
        const jwks = (await other.app.inject('/jwks')).json() as JSONWebKeySet
        await jwtVerify(id_token, createLocalJWKSet(jwks), { issuer: first.config.url }).catch((e) => failures.push(e))
        verified += 1
      }
    })
    for (let rotation = 0; rotation < 3; rotation += 1) {
      const enough = verified + 6
      await rotateKeys(first.deps, COMMAND)
      while (verified < enough) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    busy = false
    await Promise.all(load)
    await second.close()
    await first.close()
    expect(failures).toEqual([])
    expect(verified).toBeGreaterThan(17)
  },
)

/** A JWT access token of a service, and the client whose API it is for. */
async function jwtAccessToken(): Promise<{ resource: ThirdParty; jwt: string }> {
  const organization = await createOrganization(server, ana, 'Burja')
  const resource = await organization.app({ name: 'Notes' })
  const service = await organization.app({ name: 'Robot', type: 'service' })
  const define = { id: resource.client_id, key: 'notes.read', title: { 'en-US': 'Read notes' } }
  await ana.call(scopes.defineScope, define)
  await ana.call(clients.updateClientInfo, { id: service.client_id, scopes: ['notes.read'] })
  await ana.call(clients.updateAdvanced, { id: resource.client_id, access_token_format: 'jwt' })
  const answer = await post(server, service, '/token', { grant_type: 'client_credentials', scope: 'notes.read' })
  return { resource, jwt: answer.json().access_token }
}

/** The same browser at another server. */
function browserAt({ app }: TestServer, { cookies }: SignedIn): Pick<SignedIn, 'request'> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { request: (options) => app.inject({ ...options, headers: { ...options.headers, cookie } }) }
}

/** The signal of a change is sent after the commit; the snapshot is replaced a moment later. */
async function settled(): Promise<void> {
  const active = (await keys()).map(({ kid }) => kid).sort()
  await expect.poll(async () => (await published()).keys.map(({ kid }) => kid).sort()).toEqual(active)
}

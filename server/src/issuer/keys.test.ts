import { LIFETIMES } from '@vrata/contract'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { testEngine } from '../../test/template-db.ts'
import { allow, authorize, signInTo, type ThirdParty } from '../../test/third-party.ts'
import { ALGORITHMS, ensureKeys, listKeys, rotateKeys, rotateWhenDue } from './keys.ts'

let house: House
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
})
afterAll(() => house.close())

const published = async () => (await house.app.inject('/jwks')).json() as JSONWebKeySet
const keys = () => listKeys(house.store.read, house.deps.sealing)

describe('signing keys', () => {
  test('the first start makes one that signs and its successor, for each algorithm; the second makes none', async () => {
    const made = await keys()
    expect(made.map(({ alg, state }) => `${alg} ${state}`).sort()).toEqual([
      'ES256 active',
      'ES256 next',
      'EdDSA active',
      'EdDSA next',
      'RS256 active',
      'RS256 next',
    ])
    await Promise.all([ensureKeys(house.deps), ensureKeys(house.deps)])
    expect(await keys()).toEqual(made)
  })

  test('only public halves are published, each with its name, use and algorithm', async () => {
    const answer = await house.app.inject('/jwks')
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

  test('rotation hands over to the published successor; what was signed before stays valid', async () => {
    const before = await published()
    const old = await signInTo(house, ana, app)
    const successor = (await keys()).find(({ alg, state }) => alg === 'ES256' && state === 'next')
    await rotateKeys(house.deps)
    await settled()
    const now = await signInTo(house, ana, app)
    expect(decodeProtectedHeader(now.id_token).kid).toBe(successor?.kid)
    // An app that has read the keys before the rotation knows the new one already.
    const cached = createLocalJWKSet(before)
    await jwtVerify(now.id_token, cached, { issuer: house.config.url, audience: app.client_id })
    await jwtVerify(old.id_token, createLocalJWKSet(await published()), { issuer: house.config.url })
    const hint = await authorize(ana, app, { id_token_hint: old.id_token, prompt: 'none' })
    expect(hint.searchParams.get('code')).toBeTruthy()
  })

  test('rotating under load fails nobody', async () => {
    const cached = createLocalJWKSet(await published())
    let busy = true
    let signed = 0
    const load = Array.from({ length: 4 }, async () => {
      while (busy) {
        const { id_token } = await signInTo(house, ana, app)
        await jwtVerify(id_token, createLocalJWKSet(await published()), { issuer: house.config.url })
        signed += 1
      }
    })
    const before = await signInTo(house, ana, app)
    for (let rotation = 0; rotation < 3; rotation += 1) await rotateKeys(house.deps)
    busy = false
    await Promise.all(load)
    expect(signed).toBeGreaterThan(4)
    await jwtVerify(before.id_token, cached)
  })

  test('a retired key goes when nobody can show anything signed with it', async () => {
    const count = (await keys()).length
    house.clock.advance(LIFETIMES.refresh_absolute + 1)
    await rotateKeys(house.deps)
    expect((await keys()).length).toBeLessThan(count)
    expect((await keys()).filter(({ state }) => state === 'retired')).toHaveLength(ALGORITHMS.length)
  })

  test('after 90 days the successors take over by themselves, once', async () => {
    const signing = async () => (await keys()).filter(({ state }) => state === 'active').map(({ kid }) => kid)
    const before = await signing()
    await rotateWhenDue(house.deps)
    expect(await signing()).toEqual(before)
    house.clock.advance(LIFETIMES.signing_keys + 1)
    const next = (await keys()).filter(({ state }) => state === 'next').map(({ kid }) => kid)
    await Promise.all([rotateWhenDue(house.deps), rotateWhenDue(house.deps)])
    expect((await signing()).sort()).toEqual(next.sort())
  })
})

test.runIf(testEngine === 'postgres')(
  'two servers: rotating thrice under load fails no verification at either',
  async () => {
    const first = await openHouse()
    const { database_url } = first.config
    const second = await openHouse({ VRATA_DATABASE_URL: database_url as string })
    const bor = await first.as(people.bor)
    const theirs = await (await openOrganisation(first, bor)).app()
    await allow(bor, theirs)
    let busy = true
    let verified = 0
    const failures: unknown[] = []
    const load = [first, second, first, second].map(async (node, n) => {
      while (busy) {
        const { id_token } = await signInTo(node, { ...bor, ...browserAt(node, bor) }, theirs)
        // The app asks whichever server it meets for the keys.
        const other = n % 2 ? first : second
        const jwks = (await other.app.inject('/jwks')).json() as JSONWebKeySet
        await jwtVerify(id_token, createLocalJWKSet(jwks), { issuer: first.config.url }).catch((e) => failures.push(e))
        verified += 1
      }
    })
    for (let rotation = 0; rotation < 3; rotation += 1) {
      const enough = verified + 6
      await rotateKeys(first.deps)
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

/** The same browser, led to another server by the balancer. */
function browserAt({ app }: House, { cookies }: SignedIn): Pick<SignedIn, 'request'> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { request: (options) => app.inject({ ...options, headers: { ...options.headers, cookie } }) }
}

/** Word of a change travels after the commit; the snapshot follows a moment later. */
async function settled(): Promise<void> {
  const active = (await keys()).map(({ kid }) => kid).sort()
  for (let i = 0; i < 100; i += 1) {
    if (JSON.stringify((await published()).keys.map(({ kid }) => kid).sort()) === JSON.stringify(active)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

import { LIFETIMES } from '@vrata/contract'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, authorize, signInTo, type ThirdParty } from '../../test/third-party.ts'
import { ensureKeys, listKeys, rotateKeys } from './keys.ts'

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
      expect(key).toMatchObject({ kid: expect.any(String), use: 'sig', alg: expect.stringMatching(/^(ES|RS)256$/) })
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
    expect((await keys()).filter(({ state }) => state === 'retired')).toHaveLength(2)
  })
})

/** Word of a change travels after the commit; the snapshot follows a moment later. */
async function settled(): Promise<void> {
  const active = (await keys()).map(({ kid }) => kid).sort()
  for (let i = 0; i < 100; i += 1) {
    if (JSON.stringify((await published()).keys.map(({ kid }) => kid).sort()) === JSON.stringify(active)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

import { clients, connections, scopes } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { testEngine } from '../../test/template-db.ts'
import {
  allow,
  authorize,
  follow,
  here,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../test/third-party.ts'

let house: House
let neighbour: House
let ana: SignedIn
let organisation: Organisation

beforeAll(async () => {
  house = await openHouse()
  neighbour = await house.neighbour()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(async () => {
  await neighbour.close()
  await house.close()
})

/** The same browser, at another server process. */
function at(node: House): SignedIn {
  const browser = node.visitor()
  for (const [name, value] of ana.cookies) browser.cookies.set(name, value)
  return { ...browser, user: ana.user }
}

const define = (id: string, key: string, more: object = {}) =>
  ana.call(scopes.putScope, { id, key, title: { 'en-US': 'Read notes' }, ...more })

/** An app that may ask for these. */
async function asking(keys: string[]): Promise<ThirdParty> {
  const app = await organisation.app({ name: 'Bralka' })
  await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: keys })
  return app
}

const introspect = async (node: House, app: ThirdParty, token: string) =>
  (await post(node, app, '/introspect', { token })).json()

describe('a scope that has just been defined', () => {
  test('is asked for, allowed and given on another node in the same moment, without a restart', async () => {
    const maker = await organisation.app()
    for (const n of [1, 2, 3]) {
      // A request for something that does not exist yet must not make the node deaf to what comes next.
      const key = `notes.n${n}`
      await authorize(at(neighbour), maker, { scope: `openid ${key}` })
      await define(maker.client_id, key)
      const app = await asking(['openid', key])
      const scope = `openid ${key}`
      const person = at(neighbour)
      const consent = await follow(person, here(await authorize(person, app, { scope })))
      expect(consent.searchParams.get('scope')).toBe(scope)
      await allow(person, app, scope)
      const tokens = await signInTo(neighbour, person, app, { scope })
      expect(tokens.scope).toBe(scope)
      expect(await introspect(neighbour, app, tokens.access_token)).toMatchObject({ active: true, scope })
      // Whoever defines it is its resource server.
      expect(await introspect(neighbour, maker, tokens.access_token)).toMatchObject({ active: true, scope: key })
    }
  })
})

// SQLite is the database of one process (decision 0110): there is nobody else to tell.
test.runIf(testEngine === 'postgres')(
  'an app that is known on another node may ask for it there within a second',
  async () => {
    const maker = await organisation.app()
    const app = await asking(['openid'])
    await allow(ana, app, 'openid')
    await signInTo(neighbour, at(neighbour), app, { scope: 'openid' })
    await define(maker.client_id, 'waves.read')
    await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'waves.read'] })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const scope = 'openid waves.read'
    await allow(at(neighbour), app, scope)
    expect((await signInTo(neighbour, at(neighbour), app, { scope })).scope).toBe(scope)
  },
)

describe('a scope that is removed', () => {
  test('is gone from tokens on every node at once; the sign-in goes on without it', async () => {
    const maker = await organisation.app()
    await define(maker.client_id, 'tides.read')
    const app = await asking(['openid', 'tides.read'])
    const scope = 'openid tides.read'
    await allow(ana, app, scope)
    const tokens = await signInTo(house, ana, app, { scope })
    await ana.call(scopes.removeScope, { id: maker.client_id, key: 'tides.read' })
    for (const node of [house, neighbour]) {
      expect(await introspect(node, app, tokens.access_token)).toMatchObject({ active: true, scope: 'openid' })
      expect(await introspect(node, maker, tokens.access_token)).toEqual({ active: false })
      expect((await userinfo(node, tokens.access_token)).statusCode).toBe(200)
    }
    const fresh = await refresh(neighbour, app, tokens.refresh_token)
    expect(fresh.json()).toMatchObject({ scope: 'openid' })
    // The request that still names it is answered with what is left.
    const again = await signInTo(house, ana, app, { scope })
    expect(again.scope).toBe('openid')
  })
})

describe('§2 consent to scopes of apps', () => {
  test('speaks the language of the person, marks what is sensitive, and lets nobody leave out what is required', async () => {
    const maker = await organisation.app()
    await define(maker.client_id, 'health.read', {
      title: { 'en-US': 'Read your health record', 'sl-SI': 'Vpogled v zdravstveni karton' },
      sensitive: true,
      required: true,
    })
    await define(maker.client_id, 'health.steps')
    const app = await asking(['openid', 'health.read', 'health.steps'])
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

    const waiting = await authorize(ana, app, { scope: 'openid health.read health.steps' })
    await ana.request({ url: here(waiting) })
    const uid = here(waiting).split('/')[2] as string
    const answer = (wanted: string[]) =>
      ana.call(connections.putConsent, { client: app.client_id, scopes: wanted, uid })
    expect(await answer(['openid', 'health.steps'])).toMatchObject({ problem: { fields: { scopes: 'required' } } })
    expect(await answer(['openid', 'health.read'])).toMatchObject({
      data: { scopes: ['openid', 'health.read'], redirect_to: expect.any(String) },
    })
  })
})

import { account, activity, clients, connections } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation } from '../../../test/organisation.ts'
import { people, studio } from '../../../test/people.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let organisation: Organisation
let client: string
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  organisation = await openOrganisation(house, ana)
})
beforeEach(async () => {
  client = (await organisation.app()).client_id
})
afterAll(() => house?.close())

const ask = (scopes: string) => bor.call(connections.getConsent, { client, scopes })
const allow = (...scopes: string[]) => bor.call(connections.putConsent, { client, scopes })

describe('§2 the question on the consent screen', () => {
  test('names the app, who makes it, and what it asks for in the language of the person', async () => {
    await ana.call(clients.updateClientInfo, { id: client, privacy_policy_url: 'https://jadrolet.example/privacy' })
    expect(await ask('openid email')).toMatchObject({
      data: {
        client: {
          client_id: client,
          name: 'Jadrolet',
          icon: null,
          description: null,
          home_page_url: 'https://jadrolet.example',
          privacy_policy_url: 'https://jadrolet.example/privacy',
          developer: { name: studio.name, logo: null, website: null },
        },
        scopes: [
          { key: 'openid', title: 'Prepoznavanje vas', granted: false, required: true },
          { key: 'email', title: 'Uvid u vašu e-adresu', granted: false, required: false },
        ],
        redirect_host: null,
      },
    })
    await bor.call(account.setLanguage, { language: ['sl-SI', 'hr-HR'] })
    expect(await ask('email')).toMatchObject({ data: { scopes: [{ title: 'Vpogled v vaš e-naslov' }] } })
    await bor.call(account.setLanguage, { language: 'hr-HR' })
  })

  test('tells nothing about the app that people need not know', async () => {
    const told = JSON.stringify(await ask('openid'))
    for (const secret of ['secret', 'developer_id', 'hash', organisation.developer_id])
      expect(told).not.toContain(secret)
  })

  test('says what was allowed before', async () => {
    await allow('openid')
    expect(await ask('openid profile')).toMatchObject({
      data: {
        scopes: [
          { key: 'openid', granted: true },
          { key: 'profile', granted: false },
        ],
      },
    })
  })

  test('takes each scope once, however they are separated, and none as none', async () => {
    const answer = await ask('  openid  email openid ')
    expect(answer.ok && answer.data.scopes.map(({ key }) => key)).toEqual(['openid', 'email'])
    expect(await ask('')).toMatchObject({ data: { scopes: [] } })
  })

  test.each(['notes.read', 'openid notes.read', 'phone', 'OPENID', 'x'.repeat(4000), '__proto__'])(
    'knows no scope such as %j',
    async (scopes) => {
      expect(await ask(scopes)).toMatchObject({ http: 400, problem: { code: 'unknown_scope' } })
    },
  )

  test('of an app that is not there is not found; of one that is switched off is refused', async () => {
    expect(await bor.call(connections.getConsent, { client: 'vrt_nothing', scopes: 'openid' })).toMatchObject({
      http: 404,
    })
    await ana.call(clients.updateClientInfo, { id: client, enabled: false })
    expect(await ask('openid')).toMatchObject({ http: 403, problem: { code: 'client_disabled' } })
    expect(await allow('openid')).toMatchObject({ http: 403, problem: { code: 'client_disabled' } })
  })

  test('is for people who are signed in', async () => {
    const visitor = house.visitor()
    for (const call of [
      visitor.call(connections.getConsent, { client, scopes: 'openid' }),
      visitor.call(connections.putConsent, { client, scopes: ['openid'] }),
      visitor.call(connections.listConnections),
      visitor.call(connections.removeConnection, { client }),
    ]) {
      expect(await call).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
    }
  })
})

describe('§7 the answer', () => {
  test('adds to what was allowed, and writes down what is new', async () => {
    expect(await allow('openid', 'email', 'email')).toMatchObject({ data: { scopes: ['openid', 'email'] } })
    house.clock.advance(1)
    expect(await allow('profile', 'openid')).toMatchObject({ data: { scopes: ['openid', 'email', 'profile'] } })
    house.clock.advance(1)
    expect(await allow('profile')).toMatchObject({ data: { scopes: ['openid', 'email', 'profile'] } })
    const seen = await bor.call(activity.listActivity, { type: 'GRANTED_SCOPES_TO_APP', limit: 2 })
    expect(seen).toMatchObject({
      data: [
        { app: { client_id: client, name: 'Jadrolet', icon: null }, scopes: ['profile'], browser: expect.any(String) },
        { app: { client_id: client }, scopes: ['openid', 'email'] },
      ],
    })
  })

  test.each([
    [['openid', 'phone'], 'unknown_scope'],
    [['openid', 'notes.read'], 'unknown_scope'],
    [['Openid'], 'invalid_request'],
    [[], 'invalid_request'],
    [Array(201).fill('openid'), 'invalid_request'],
  ])('cannot go beyond what the app may ask for: %j', async (scopes, code) => {
    expect(await allow(...scopes)).toMatchObject({ http: 400, problem: { code } })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
  })

  test('of many tabs at once is one connection with all that was allowed', async () => {
    const each = ['openid', 'profile', 'email']
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => allow(each[n % 3] as string)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const mine = await bor.call(connections.listConnections)
    const found = mine.ok ? mine.data.filter((one) => one.client.client_id === client) : []
    expect(found).toHaveLength(1)
    expect(found[0]?.scopes.map(({ key }) => key).sort()).toEqual(['email', 'openid', 'profile'])
  })

  test('waits until the address is confirmed', async () => {
    await house.store.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', bor.user.id).execute()
    expect(await allow('openid')).toMatchObject({ http: 403, problem: { code: 'email_not_verified' } })
    const email_verified_at = house.clock.now().toISOString()
    await house.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', bor.user.id).execute()
    expect(await allow('openid')).toMatchObject({ ok: true })
  })

  test('of no changes nothing', async () => {
    await allow('openid')
    expect(await bor.call(connections.putConsent, { client, scopes: [], deny: true })).toMatchObject({
      data: { scopes: ['openid'] },
    })
    expect(await ask('openid')).toMatchObject({ data: { scopes: [{ granted: true }] } })
  })

  test('about a request that does not wait for this person is not found', async () => {
    for (const deny of [true, false]) {
      const answer = await bor.call(connections.putConsent, { client, scopes: ['openid'], uid: 'made-up', deny })
      expect(answer).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    }
    expect(await bor.call(connections.getConsent, { client, uid: 'made-up' })).toMatchObject({ http: 404 })
    expect(await bor.call(connections.removeConnection, { client })).toMatchObject({ http: 404 })
  })
})

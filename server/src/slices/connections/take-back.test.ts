import { activity, connections } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { allow, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let app: ThirdParty
let client: string

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  app = await (await openOrganisation(house, ana)).app()
  client = app.client_id
})
beforeEach(() => allow(bor, app))
afterAll(() => house?.close())

const takeBack = (key: string) => bor.call(connections.takeBackScope, { client, key })

describe('§2 taking back one scope of an app', () => {
  test('leaves the others, and is written down', async () => {
    expect(await takeBack('email')).toMatchObject({ ok: true, data: { scopes: ['openid', 'profile'] } })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [{ scopes: [{ key: 'openid' }, { key: 'profile' }] }],
    })
    expect(await bor.call(activity.listActivity, { type: 'REVOKED_SCOPES_FROM_APP', limit: 1 })).toMatchObject({
      data: [{ app: { client_id: client }, scopes: ['email'] }],
    })
  })

  test('ends access tokens that carry it; refreshing goes on without it', async () => {
    const tokens = await signInTo(house, bor, app)
    expect((await userinfo(house, tokens.access_token)).json()).toMatchObject({ email: people.bor.email })
    await takeBack('email')
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
    const renewed = (await refresh(house, app, tokens.refresh_token)).json()
    expect(renewed.scope).toBe('openid profile')
    const known = (await userinfo(house, renewed.access_token)).json()
    expect([known.name, known.email]).toEqual([expect.any(String), undefined])
  })

  test('is refused for what makes it a sign-in, for what was not allowed, and for another person', async () => {
    expect(await takeBack('openid')).toMatchObject({
      http: 400,
      problem: { code: 'invalid_request', fields: { key: 'required' } },
    })
    expect(await takeBack('phone')).toMatchObject({ http: 404 })
    expect(await ana.call(connections.takeBackScope, { client, key: 'email' })).toMatchObject({ http: 404 })
    expect(await bor.call(connections.listConnections)).toMatchObject({
      data: [{ scopes: [{ key: 'openid' }, { key: 'profile' }, { key: 'email' }] }],
    })
  })

  test('of twenty who press it, one does it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => takeBack('email')))
    expect(answers.map(({ http }) => http).sort()).toEqual([200, ...Array(19).fill(404)])
  })
})

import { clients, connections, refusals } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import {
  allow,
  authorizeUrl,
  codeFor,
  credentials,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  userinfo,
} from '../../test/third-party.ts'
import { pruneAll } from '../prune.ts'
import { addressOf } from './doctor.ts'

let house: House
let ana: SignedIn
let app: ThirdParty
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())
beforeEach(async () => {
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
})

async function told(): Promise<refusals.Refusal[]> {
  const answer = await ana.call(refusals.listRefusals, { id: app.client_id })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data
}
const reasons = async () => (await told()).map(({ reason, detail }) => [reason, detail])
const ask = (params: Record<string, string | undefined>) => ana.request({ url: authorizeUrl(app, params) })

describe('§7 a refused authorization request', () => {
  test.each([
    [{ redirect_uri: 'https://jadrolet.example/cb' }, 'redirect_uri', 'https://jadrolet.example/cb'],
    [
      { redirect_uri: 'https://jadrolet.example/cb?email=ana@example.com' },
      'redirect_uri',
      'https://jadrolet.example/cb?…',
    ],
    [{ scope: 'openid phone' }, 'scope', 'phone'],
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'pkce_missing', ''],
    [{ code_challenge_method: 'plain' }, 'pkce_method', 'plain'],
    [{ response_type: 'token' }, 'response_type', 'token'],
    [{ prompt: 'none login' }, 'authorization_request', 'prompt none must only be used alone'],
  ])('%j is told as %s', async (params, reason, detail) => {
    await ask(params)
    expect(await reasons()).toEqual([[reason, detail]])
  })

  test('of an app without redirect URIs, or switched off', async () => {
    await ana.call(clients.removeRedirectUri, { id: app.client_id, redirect_uri: 'http://localhost:4000/callback' })
    await ask({})
    await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false })
    await ask({})
    expect((await reasons()).toSorted()).toEqual([
      ['client_disabled', ''],
      ['redirect_uri', 'http://localhost:4000/callback'],
    ])
  })

  test('what a person answers is none, nor is that somebody has to sign in', async () => {
    await house.visitor().request({ url: authorizeUrl(app, { prompt: 'none' }) })
    await ana.call(connections.removeConnection, { client: app.client_id })
    await ask({ prompt: 'none' })
    expect(await reasons()).toEqual([])
  })
})

describe('§7 a refused token request', () => {
  const exchange = async (form: Record<string, string>, headers?: Record<string, string>) => {
    const { form: right } = await codeFor(ana, app)
    await post(house, app, '/token', { ...right, ...form }, headers)
    return await reasons()
  }

  test('a wrong secret, or none', async () => {
    const wrong = credentials({ ...app, client_secret: 'vrts_wrong' })
    expect(await exchange({}, wrong)).toEqual([['secret_wrong', '']])
    expect((await exchange({}, {})).toSorted()).toEqual([
      ['secret_missing', ''],
      ['secret_wrong', ''],
    ])
  })

  test.each([
    [{ code_verifier: 'x'.repeat(43) }, 'code_verifier'],
    [{ redirect_uri: 'https://other.example/' }, 'redirect_uri_changed'],
    [{ code: 'never-given' }, 'code'],
  ])('%j', async (form, reason) => {
    expect(await exchange(form as Record<string, string>)).toEqual([[reason, '']])
  })

  test('a code used twice', async () => {
    const { form } = await codeFor(ana, app)
    for (const _ of [1, 2]) await post(house, app, '/token', form)
    expect(await reasons()).toEqual([['code', '']])
  })

  test('a refresh token that ended, a way of asking that is not offered', async () => {
    await refresh(house, app, 'never-given')
    await post(house, app, '/token', { grant_type: 'password', username: 'ana', password: 'secret' })
    const found = (await reasons()).toSorted()
    expect(found).toEqual([
      ['grant_type', 'password'],
      ['refresh_token', ''],
    ])
  })

  test('a page at an origin that is not registered', async () => {
    const { form } = await codeFor(ana, app)
    await post(house, app, '/token', form, { ...credentials(app), origin: 'https://spa.example' })
    expect(await told()).toMatchObject([{ reason: 'origin', detail: 'https://spa.example', addable: true }])
    const { access_token } = await signInTo(house, ana, app)
    await house.app.inject({
      url: '/userinfo',
      headers: { authorization: `Bearer ${access_token}`, origin: 'https://other.example' },
    })
    expect(await reasons()).toContainEqual(['origin', 'https://other.example'])
    await ana.call(clients.addOrigin, { id: app.client_id, origin: 'https://spa.example' })
    expect(await reasons()).toEqual([['origin', 'https://other.example']])
  })
})

test('the same ones are counted; what is added is forgotten, and then works', async () => {
  const redirect_uri = 'http://localhost:4000/back'
  for (const _ of [1, 2, 3]) await ask({ redirect_uri })
  expect(await told()).toMatchObject([{ reason: 'redirect_uri', detail: redirect_uri, addable: true, times: 3 }])
  await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri })
  expect(await told()).toEqual([])
  expect((await ask({ redirect_uri })).headers.location).toMatch(/^http:\/\/localhost:4000\/back\?code=/)
})

test('only addresses that can stand are offered', async () => {
  for (const redirect_uri of ['http://jadrolet.example/cb', 'com.example.app:/cb', 'https://a.example/cb?x=1']) {
    await ask({ redirect_uri })
  }
  expect((await told()).map(({ addable }) => addable)).toEqual([false, false, false])
})

test('a flood leaves a few rows, pushes out no other kind, and is not written on', async () => {
  await ask({ scope: 'openid phone' })
  for (let i = 0; i < 40; i += 1) {
    house.clock.advance(0.001)
    await ask({ redirect_uri: `https://evil.example/${i}` })
  }
  const found = await told()
  expect(found.filter(({ reason }) => reason === 'redirect_uri')).toHaveLength(10)
  expect(found.filter(({ reason }) => reason === 'scope')).toHaveLength(1)
  // 30 writes a minute, one of them for the scope.
  expect(found[0]?.detail).toBe('https://evil.example/28')
})

test('no secret, code or token stands in what is kept', async () => {
  const { form } = await codeFor(ana, app)
  await post(house, app, '/token', { ...form, code_verifier: 'y'.repeat(43) })
  await post(house, app, '/token', form, credentials({ ...app, client_secret: 'vrts_secret-of-somebody' }))
  await ask({ redirect_uri: 'https://ana:geslo@a.example/cb#token' })
  await userinfo(house, 'a-token')
  const rows = JSON.stringify(await house.store.read.selectFrom('refusals').selectAll().execute())
  for (const part of [form.code, form.code_verifier, 'vrts_', 'geslo', 'ana:', '#token', 'yyyy']) {
    expect(rows).not.toContain(part)
  }
})

test('is forgotten when told to, and after a week', async () => {
  await ask({ scope: 'openid phone' })
  expect(await ana.call(refusals.forgetRefusals, { id: app.client_id })).toMatchObject({ ok: true })
  expect(await told()).toEqual([])
  await ask({ scope: 'openid phone' })
  house.clock.advance(8 * 24 * 60 * 60)
  await pruneAll(house.deps)
  expect(await house.store.read.selectFrom('refusals').selectAll().execute()).toEqual([])
})

test('an app that does not exist has nobody to tell', async () => {
  await ana.request({ url: authorizeUrl({ ...app, client_id: 'vrt_nobody' }, { redirect_uri: 'https://x.example/' }) })
  const row = await house.store.read.selectFrom('refusals').selectAll().where('client_id', '=', 'vrt_nobody').execute()
  expect(row).toEqual([])
})

test.each([
  ['https://a.example/cb', 'https://a.example/cb'],
  ['https://a.example/cb?x=1', 'https://a.example/cb?…'],
  ['https://u:p@a.example/cb', 'https://a.example/cb'],
  ['no address', ''],
  ['https://a.example/č', ''],
  [undefined, ''],
])('%s is kept as %j', (value, kept) => {
  expect(addressOf(value)).toBe(kept)
})

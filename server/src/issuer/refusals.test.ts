import { clients } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { allow, authorize, authorizeUrl, follow, type ThirdParty } from '../../test/third-party.ts'

let house: House
let organisation: Organisation
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  await allow(ana, app)
})
afterAll(() => house.close())

const query = (url: URL) => Object.fromEntries(url.searchParams)

describe('a request that is wrong', () => {
  const wrong = (params: Parameters<typeof authorize>[2]) => authorize(ana, app, params)

  test.each([
    ['unknown app', { client_id: 'nobody' }, 'invalid_client'],
    ['an app that can be none', { client_id: 'vrt_\0' }, 'invalid_client'],
    ['no app', { client_id: undefined }, 'invalid_request'],
    ['foreign redirect URI', { redirect_uri: 'https://evil.example/' }, 'invalid_redirect_uri'],
    ['redirect URI with more', { redirect_uri: `${jadrolet.redirect_uri}/more` }, 'invalid_redirect_uri'],
    ['another port', { redirect_uri: 'http://localhost:4001/callback' }, 'invalid_redirect_uri'],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_request'],
    [
      'foreign redirect URI and prompt=none',
      { redirect_uri: 'https://evil.example/', prompt: 'none' },
      'invalid_redirect_uri',
    ],
    [
      'foreign redirect URI and another mistake',
      { redirect_uri: 'https://evil.example/', scope: 'openid\u0001' },
      'invalid_redirect_uri',
    ],
  ])('%s: a page of ours, never the app’s address', async (_, params, error) => {
    const page = await wrong(params)
    expect(page.host).toBe('localhost:3000')
    expect(page.pathname).toBe('/oauth')
    expect(page.searchParams.get('error')).toBe(error)
  })

  test.each([
    ['no proof key', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain proof key', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a scope that it may not ask for', { scope: 'openid phone' }, 'invalid_scope'],
    ['an implicit flow', { response_type: 'token', response_mode: 'query' }, 'invalid_request'],
    ['a hybrid flow', { response_type: 'code id_token', nonce: 'n', response_mode: 'query' }, 'invalid_request'],
    ['an unknown flow', { response_type: 'dance' }, 'unsupported_response_type'],
    ['a request object', { request: 'e30.e30.' }, 'invalid_request_object'],
    ['an unknown prompt', { prompt: 'dance' }, 'invalid_request'],
    [
      'an authentication context that we cannot meet',
      { claims: '{"id_token":{"acr":{"essential":true,"value":"gold"}}}' },
      'unmet_authentication_requirements',
    ],
  ])('%s: the app is told', async (_, params, error) => {
    const back = await wrong(params)
    expect(back.origin + back.pathname).toBe(jadrolet.redirect_uri)
    expect(query(back)).toMatchObject({ error, state: 'a state', iss: house.config.url })
  })

  test('a parameter given twice is refused', async () => {
    const back = await follow(ana, `${authorizeUrl(app)}&scope=openid`)
    expect(back.searchParams.get('error')).toBe('invalid_request')
  })

  test.each(['/authorize', '/oauth'])('a request from a form post to %s loses nothing', async (url) => {
    const answer = await house.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: authorizeUrl(app).split('?')[1] as string,
    })
    expect(answer.statusCode).toBe(303)
    expect((await follow(ana, answer.headers.location as string)).searchParams.get('code')).toBeTruthy()
  })

  test('§4 a disabled app is refused on our page, and works again when enabled', async () => {
    const off = await organisation.app({ name: 'Izklopljena' })
    await allow(ana, off)
    expect((await authorize(ana, off)).searchParams.get('code')).toBeTruthy()
    await ana.call(clients.updateClientInfo, { id: off.client_id, enabled: false })
    expect(query(await authorize(ana, off))).toMatchObject({ error: 'client_disabled' })
    expect(query(await authorize(ana, off, { prompt: 'none' }))).toMatchObject({ error: 'client_disabled' })
    await ana.call(clients.updateClientInfo, { id: off.client_id, enabled: true })
    expect((await authorize(ana, off)).searchParams.get('code')).toBeTruthy()
  })

  test('an app without redirect URIs is refused, not broken', async () => {
    const bare = await organisation.app({ name: 'Brez naslova', redirect_uri: undefined })
    expect((await authorize(ana, bare)).pathname).toBe('/oauth')
  })

  test('/oauth is the same endpoint when it is asked like one (specification §2)', async () => {
    expect((await follow(ana, authorizeUrl(app).replace('/authorize', '/oauth'))).searchParams.get('code')).toBeTruthy()
  })
})

import { activity, auth, connections } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { good } from '../../test/second-factor.ts'
import { allow, authorize, follow, here, post, proofKey, signInTo, type ThirdParty } from '../../test/third-party.ts'
import type { PendingRequest } from '../ports/pending-requests.ts'

let house: House
let organisation: Organisation
let ana: SignedIn
let bor: SignedIn
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  await allow(ana, app)
})
afterAll(() => house.close())

const query = (url: URL) => Object.fromEntries(url.searchParams)
const waitingFor = async (
  browser: Pick<SignedIn, 'request'>,
  params: Parameters<typeof authorize>[2] = {},
  by = app,
) => {
  const waiting = await authorize(browser, by, params)
  expect(waiting.pathname).toMatch(/^\/authorize\/[\w-]{21,}$/)
  return here(waiting)
}

describe('signing in to an app', () => {
  test('somebody signed in who has allowed it is sent back with a code at once, and no page is loaded', async () => {
    const back = await authorize(ana, app)
    expect(back.origin + back.pathname).toBe(jadrolet.redirect_uri)
    expect(query(back)).toEqual({ code: expect.any(String), state: 'a state', iss: house.config.url })
  })

  test('a stranger signs in, allows it, and comes back with a code', async () => {
    const browser = house.visitor()
    const waiting = await waitingFor(browser)
    const login = await follow(browser, waiting)
    expect(here(login)).toBe(`/login?${new URLSearchParams({ redirect: waiting })}`)

    house.clock.advance(1)
    await browser.call(auth.login, { username: people.bor.email, password: people.bor.password })
    const consent = await follow(browser, waiting)
    expect(consent.pathname).toBe('/oauth')
    expect(query(consent)).toEqual({
      uid: waiting.split('/')[2],
      client_id: app.client_id,
      scope: 'openid profile email',
    })

    const uid = consent.searchParams.get('uid') as string
    const asked = await browser.call(connections.getConsent, {
      client: app.client_id,
      scopes: 'openid profile email',
      uid,
    })
    expect(asked.ok && asked.data.redirect_host).toBe('localhost:4000')
    const answer = await browser.call(connections.putConsent, {
      client: app.client_id,
      scopes: ['openid', 'email'],
      uid,
    })
    expect(answer.ok && answer.data.redirect_to).toBe(waiting)
    const back = await follow(browser, waiting)
    expect(query(back)).toEqual({ code: expect.any(String), state: 'a state', iss: house.config.url })
  })

  test('a declined optional scope is not in the token, and is asked about again only when the app insists', async () => {
    const cvetka = await house.as(people.cvetka)
    const { verifier, challenge } = proofKey()
    const waiting = await waitingFor(cvetka, { code_challenge: challenge })
    const uid = (await follow(cvetka, waiting)).searchParams.get('uid') as string
    await cvetka.call(connections.putConsent, { client: app.client_id, scopes: ['openid'], uid })
    const code = (await follow(cvetka, waiting)).searchParams.get('code') as string
    const { redirect_uri } = jadrolet
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    expect((await post(house, app, '/token', form)).json()).toMatchObject({ scope: 'openid' })
    // The next sign-in goes through with as little; the app may insist.
    expect(query(await authorize(cvetka, app))).toHaveProperty('code')
    const insisting = await waitingFor(cvetka, { prompt: 'consent' })
    const again = (await follow(cvetka, insisting)).searchParams.get('uid') as string
    await cvetka.call(connections.putConsent, { client: app.client_id, scopes: ['openid', 'email'], uid: again })
    expect(query(await follow(cvetka, insisting))).toHaveProperty('code')
    expect(query(await authorize(cvetka, app))).toHaveProperty('code')
    // What was taken back later is asked for again.
    await cvetka.call(connections.takeBackScope, { client: app.client_id, key: 'email' })
    expect((await follow(cvetka, await waitingFor(cvetka))).pathname).toBe('/oauth')
  })

  test('denying tells the app access_denied, once', async () => {
    const waiting = await waitingFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, waiting)).searchParams.get('uid') as string
    const denied = await bor.call(connections.putConsent, { client: app.client_id, scopes: [], uid, deny: true })
    expect(denied.ok && denied.data.redirect_to).toBe(waiting)
    const again = await bor.call(connections.putConsent, { client: app.client_id, scopes: ['openid'], uid })
    expect(again.ok || again.problem.code).toBe('not_found')
    const back = await follow(bor, waiting)
    expect(query(back)).toMatchObject({ error: 'access_denied', state: 'a state', iss: house.config.url })
    expect(here(await follow(bor, waiting))).toBe('/oauth?error=request_expired')
  })

  test('an unconfirmed address is confirmed first', async () => {
    const browser = house.visitor()
    await browser.call(auth.register, people.drago)
    const waiting = await waitingFor(browser)
    expect(here(await follow(browser, waiting))).toBe(`/verify?${new URLSearchParams({ redirect: waiting })}`)
  })

  test('it is written down in the person’s activity, and the connection was used', async () => {
    const list = await ana.call(activity.listActivity, {})
    expect(list.ok && list.data.map(({ type }) => type)).toContain('LOGGED_IN_TO_APP')
    const [session] = good(await ana.call(auth.listSessions))
    expect(session).toMatchObject({ app: jadrolet.name, apps: [{ client_id: app.client_id, icon: null }] })
    const linked = await ana.call(connections.listConnections, {})
    expect(linked.ok && linked.data[0]?.last_used_at).not.toBeNull()
  })
})

describe('a waiting request belongs to its person', () => {
  test('somebody else’s session does not find it', async () => {
    const waiting = await waitingFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, waiting)).searchParams.get('uid') as string
    const call = { client: app.client_id, scopes: 'openid', uid }
    const theirs = await ana.call(connections.getConsent, call)
    expect(theirs.ok || theirs.problem.code).toBe('not_found')
    const put = await ana.call(connections.putConsent, { ...call, scopes: ['openid'] })
    expect(put.ok || put.problem.code).toBe('not_found')
  })

  test('an answer on its way counts for nobody else who takes the request over meanwhile', async () => {
    const waiting = await waitingFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, waiting)).searchParams.get('uid') as string
    const asked = await house.deps.requests.find(house.store.read, uid)
    await house.store.db
      .updateTable('oidc_temp')
      .set({ session_id: ana.user.session_id })
      .where('session_id', '=', bor.user.session_id)
      .execute()
    const answering = house.deps.transaction((deps) => deps.requests.finish(deps, asked as PendingRequest, 'allowed'))
    await expect(answering).rejects.toMatchObject({ code: 'not_found' })
    expect((await house.deps.requests.find(house.store.read, uid))?.session_id).toBe(ana.user.session_id)
  })

  test('another browser cannot go on with it, whoever is signed in there', async () => {
    const waiting = await waitingFor(bor, { prompt: 'consent' })
    expect(here(await follow(ana, waiting))).toBe('/oauth?error=request_expired')
  })

  test('when somebody else signs in for it, the answer of the first is void', async () => {
    const waiting = await waitingFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, waiting)).searchParams.get('uid') as string
    await bor.call(connections.putConsent, { client: app.client_id, scopes: ['openid'], uid })
    const drago = house.visitor()
    for (const [name, value] of bor.cookies) if (name.includes('request')) drago.cookies.set(name, value)
    await drago.call(auth.login, { username: people.ana.email, password: people.ana.password })
    expect((await follow(drago, waiting)).pathname).toBe('/oauth')
  })

  test('after an hour it is gone', async () => {
    const waiting = await waitingFor(bor, { prompt: 'consent' })
    house.clock.advance(3601)
    expect(here(await follow(bor, waiting))).toBe('/oauth?error=request_expired')
    for (const person of [ana, bor]) await person.call(auth.refresh, {})
  })
})

describe('what the app may demand (OpenID Connect Core §3.1.2.1)', () => {
  test('prompt=none never shows a page', async () => {
    const errorOf = async (browser: Pick<SignedIn, 'request'>, params = {}) =>
      (await authorize(browser, app, { prompt: 'none', ...params })).searchParams.get('error')
    const unconfirmed = house.visitor()
    await unconfirmed.call(auth.register, { ...people.cvetka, email: 'nova@example.com' })
    expect(await errorOf(house.visitor())).toBe('login_required')
    expect(await errorOf(unconfirmed)).toBe('interaction_required')
    expect(await errorOf(await house.as(people.cvetka))).toBe('consent_required')
    expect(await errorOf(ana)).toBe(null)
  })

  test('prompt=login wants a sign-in made after the request began, also from somebody signed in', async () => {
    const browser = await house.as(people.ana)
    for (const prompt of ['login', 'select_account']) {
      house.clock.advance(1)
      const waiting = await waitingFor(browser, { prompt })
      expect(query(await follow(browser, waiting))).toEqual({ redirect: waiting, prompt: 'login' })
      house.clock.advance(1)
      await browser.call(auth.login, { username: people.ana.email, password: people.ana.password })
      expect((await follow(browser, waiting)).searchParams.get('code')).toBeTruthy()
    }
  })

  test('max_age wants a younger sign-in', async () => {
    const browser = await house.as(people.ana)
    house.clock.advance(100)
    expect((await authorize(browser, app, { max_age: '100' })).searchParams.get('code')).toBeTruthy()
    const waiting = await waitingFor(browser, { max_age: '99' })
    expect((await follow(browser, waiting)).pathname).toBe('/login')
    house.clock.advance(1)
    await browser.call(auth.reauthenticate, { password: people.ana.password })
    expect((await follow(browser, waiting)).searchParams.get('code')).toBeTruthy()
  })

  test('prompt=consent asks although all was allowed', async () => {
    expect((await follow(ana, await waitingFor(ana, { prompt: 'consent' }))).pathname).toBe('/oauth')
  })

  test('id_token_hint of somebody else leads to the sign-in, and to login_required when somebody else signs in', async () => {
    await allow(bor, app)
    const { id_token } = await signInTo(house, bor, app)
    const browser = await house.as(people.ana)
    expect((await authorize(browser, app, { id_token_hint: id_token, prompt: 'none' })).searchParams.get('error')).toBe(
      'login_required',
    )
    house.clock.advance(1)
    const waiting = await waitingFor(browser, { id_token_hint: id_token })
    expect((await follow(browser, waiting)).pathname).toBe('/login')
    house.clock.advance(1)
    await browser.call(auth.login, { username: people.ana.email, password: people.ana.password })
    expect(query(await follow(browser, waiting))).toMatchObject({ error: 'login_required', iss: house.config.url })
  })

  test('ui_locales is handed to the login page, and an unknown display is a page like any other', async () => {
    const browser = house.visitor()
    const wishes = { ui_locales: 'hr sl-SI', display: 'touch', acr_values: 'urn:nobody:knows' }
    const login = await follow(browser, await waitingFor(browser, wishes))
    expect(login.searchParams.get('ui_locales')).toBe('hr sl-SI')
  })

  test('login_hint is handed to the login page', async () => {
    const browser = house.visitor()
    const login = await follow(browser, await waitingFor(browser, { login_hint: 'ana@example.com' }))
    expect(login.searchParams.get('login_hint')).toBe('ana@example.com')
  })

  test('an app that cannot prove who it is asks every time (RFC 8252 §8.6)', async () => {
    const native = await organisation.app({
      name: 'Na telefonu',
      type: 'native',
      redirect_uri: 'http://127.0.0.1/callback',
    })
    await allow(ana, native)
    const at = { redirect_uri: 'http://127.0.0.1:49152/callback' }
    const waiting = await waitingFor(ana, at, native)
    const uid = (await follow(ana, waiting)).searchParams.get('uid') as string
    await ana.call(connections.putConsent, { client: native.client_id, scopes: ['openid'], uid })
    expect((await follow(ana, waiting)).searchParams.get('code')).toBeTruthy()
    expect((await follow(ana, await waitingFor(ana, at, native))).pathname).toBe('/oauth')
  })
})

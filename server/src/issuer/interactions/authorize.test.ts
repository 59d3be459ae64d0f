import { activity, connections, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, follow, here, post, proofKey, signInTo, type ThirdParty } from '../../../test/third-party.ts'

let server: TestServer
let organization: Organization
let ana: SignedIn
let bor: SignedIn
let app: ThirdParty

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server.close())

const query = (url: URL) => Object.fromEntries(url.searchParams)
const interactionFor = async (
  browser: Pick<SignedIn, 'request'>,
  params: Parameters<typeof authorize>[2] = {},
  by = app,
) => {
  const interaction = await authorize(browser, by, params)
  expect(interaction.pathname).toMatch(/^\/authorize\/[\w-]{21,}$/)
  return here(interaction)
}

describe('signing in to a client', () => {
  test('a signed-in user with consent is redirected with a code at once', async () => {
    const back = await authorize(ana, app)
    expect(back.origin + back.pathname).toBe(jadrolet.redirect_uri)
    expect(query(back)).toEqual({ code: expect.any(String), state: 'a state', iss: server.config.url })
  })

  test('an anonymous user signs in, consents and is redirected with a code', async () => {
    const browser = server.browser()
    const interaction = await interactionFor(browser)
    const login = await follow(browser, interaction)
    expect(here(login)).toBe(`/login?${new URLSearchParams({ redirect: interaction })}`)

    server.clock.advance(1)
    await browser.call(signIn.login, { username: people.bor.email, password: people.bor.password })
    const consent = await follow(browser, interaction)
    expect(consent.pathname).toBe('/oauth')
    expect(query(consent)).toEqual({
      uid: interaction.split('/')[2],
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
    const answer = await browser.call(connections.submitConsent, {
      client: app.client_id,
      scopes: ['openid', 'email'],
      uid,
    })
    expect(answer.ok && answer.data.redirect_to).toBe(interaction)
    const back = await follow(browser, interaction)
    expect(query(back)).toEqual({ code: expect.any(String), state: 'a state', iss: server.config.url })
  })

  test('a declined scope is not in the token, and is asked for again only with prompt=consent', async () => {
    const cvetka = await server.as(people.cvetka)
    const { verifier, challenge } = proofKey()
    const interaction = await interactionFor(cvetka, { code_challenge: challenge })
    const uid = (await follow(cvetka, interaction)).searchParams.get('uid') as string
    await cvetka.call(connections.submitConsent, { client: app.client_id, scopes: ['openid'], uid })
    const code = (await follow(cvetka, interaction)).searchParams.get('code') as string
    const { redirect_uri } = jadrolet
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    expect((await post(server, app, '/token', form)).json()).toMatchObject({ scope: 'openid' })
    // The next request needs no page; prompt=consent asks again.
    expect(query(await authorize(cvetka, app))).toHaveProperty('code')
    const withConsent = await interactionFor(cvetka, { prompt: 'consent' })
    const again = (await follow(cvetka, withConsent)).searchParams.get('uid') as string
    await cvetka.call(connections.submitConsent, { client: app.client_id, scopes: ['openid', 'email'], uid: again })
    expect(query(await follow(cvetka, withConsent))).toHaveProperty('code')
    expect(query(await authorize(cvetka, app))).toHaveProperty('code')
    // A revoked scope is asked for again.
    await cvetka.call(connections.revokeScope, { client: app.client_id, key: 'email' })
    expect((await follow(cvetka, await interactionFor(cvetka))).pathname).toBe('/oauth')
  })

  test('denying returns access_denied to the client, once', async () => {
    const interaction = await interactionFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, interaction)).searchParams.get('uid') as string
    const denied = await bor.call(connections.submitConsent, { client: app.client_id, scopes: [], uid, deny: true })
    expect(denied.ok && denied.data.redirect_to).toBe(interaction)
    const again = await bor.call(connections.submitConsent, { client: app.client_id, scopes: ['openid'], uid })
    expect(again.ok || again.problem.code).toBe('not_found')
    const back = await follow(bor, interaction)
    expect(query(back)).toMatchObject({ error: 'access_denied', state: 'a state', iss: server.config.url })
    expect(here(await follow(bor, interaction))).toBe('/oauth?error=request_expired')
  })

  test.each([
    ['allows', { scopes: ['openid', 'profile', 'email'], deny: false }, 'code'],
    ['denies', { scopes: [] as string[], deny: true }, 'error'],
  ])(
    'a person who %s can answer once more when the browser did not get the first answer',
    async (_, decision, member) => {
      const interaction = await interactionFor(ana, { prompt: 'consent' })
      const uid = (await follow(ana, interaction)).searchParams.get('uid') as string
      const say = () => ana.call(connections.submitConsent, { client: app.client_id, uid, ...decision })
      for (const answer of [await say(), await say()])
        expect(answer).toMatchObject({ ok: true, data: { redirect_to: interaction } })
      expect(query(await follow(ana, interaction))).toHaveProperty(member)
      expect(await say()).toMatchObject({ problem: { code: 'not_found' } })
    },
  )

  test('a request that its browser continues several times at once leads to one code', async () => {
    const interaction = await interactionFor(ana, { prompt: 'consent' })
    const uid = (await follow(ana, interaction)).searchParams.get('uid') as string
    const scopes = ['openid', 'profile', 'email']
    expect(await ana.call(connections.submitConsent, { client: app.client_id, uid, scopes })).toMatchObject({
      ok: true,
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => follow(ana, interaction)))
    expect(answers.filter((answer) => answer.searchParams.has('code'))).toHaveLength(1)
    const others = answers.filter((answer) => !answer.searchParams.has('code'))
    expect(others.map(here)).toEqual(Array.from({ length: 7 }, () => '/oauth?error=request_expired'))
  })

  test('a person who has allowed a request can deny it as long as it has not continued', async () => {
    const interaction = await interactionFor(ana, { prompt: 'consent' })
    const uid = (await follow(ana, interaction)).searchParams.get('uid') as string
    const decide = (deny: boolean) =>
      ana.call(connections.submitConsent, { client: app.client_id, uid, scopes: ['openid', 'profile', 'email'], deny })
    for (const deny of [false, true]) good(await decide(deny))
    expect(await decide(false)).toMatchObject({ problem: { code: 'not_found' } })
    expect(query(await follow(ana, interaction))).toMatchObject({ error: 'access_denied' })
  })

  test('an unverified address is verified first', async () => {
    const browser = server.browser()
    await browser.call(signIn.register, people.drago)
    const interaction = await interactionFor(browser)
    expect(here(await follow(browser, interaction))).toBe(`/verify?${new URLSearchParams({ redirect: interaction })}`)
  })

  test('records the activity and the last use of the connection', async () => {
    const list = await ana.call(activity.listActivity, {})
    expect(list.ok && list.data.map(({ type }) => type)).toContain('LOGGED_IN_TO_APP')
    const [session] = good(await ana.call(sessions.listSessions))
    expect(session).toMatchObject({ app: jadrolet.name, apps: [{ client_id: app.client_id, icon: null }] })
    const linked = await ana.call(connections.listConnections, {})
    expect(linked.ok && linked.data[0]?.last_used_at).not.toBeNull()
  })
})

describe('an interaction is bound to its user', () => {
  test('the session of another user does not find it', async () => {
    const interaction = await interactionFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, interaction)).searchParams.get('uid') as string
    const call = { client: app.client_id, scopes: 'openid', uid }
    const theirs = await ana.call(connections.getConsent, call)
    expect(theirs.ok || theirs.problem.code).toBe('not_found')
    const put = await ana.call(connections.submitConsent, { ...call, scopes: ['openid'] })
    expect(put.ok || put.problem.code).toBe('not_found')
  })

  test('a decision does not count for another user who takes the interaction over meanwhile', async () => {
    const interaction = await interactionFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, interaction)).searchParams.get('uid') as string
    const find = ({ user }: SignedIn) =>
      server.deps.interactions.find(server.store.read, uid, { user_id: user.id, session_id: user.session_id })
    const asked = await find(bor)
    await server.store.db
      .updateTable('provider_models')
      .set({ session_id: ana.user.session_id })
      .where('session_id', '=', bor.user.session_id)
      .execute()
    const by = { uid: asked?.uid ?? '', user_id: bor.user.id, session_id: bor.user.session_id }
    const answering = server.deps.transaction((deps) => deps.interactions.finish(deps, by, 'allowed'))
    await expect(answering).rejects.toMatchObject({ code: 'not_found' })
    expect((await find(ana))?.session_id).toBe(ana.user.session_id)
  })

  test('another browser cannot continue it', async () => {
    const interaction = await interactionFor(bor, { prompt: 'consent' })
    expect(here(await follow(ana, interaction))).toBe('/oauth?error=request_expired')
  })

  test('when another user signs in for it, the first decision is void', async () => {
    const interaction = await interactionFor(bor, { prompt: 'consent' })
    const uid = (await follow(bor, interaction)).searchParams.get('uid') as string
    await bor.call(connections.submitConsent, { client: app.client_id, scopes: ['openid'], uid })
    const drago = server.browser()
    for (const [name, value] of bor.cookies) if (name.includes('request')) drago.cookies.set(name, value)
    await drago.call(signIn.login, { username: people.ana.email, password: people.ana.password })
    expect((await follow(drago, interaction)).pathname).toBe('/oauth')
  })

  test('expires after an hour', async () => {
    const interaction = await interactionFor(bor, { prompt: 'consent' })
    server.clock.advance(3601)
    expect(here(await follow(bor, interaction))).toBe('/oauth?error=request_expired')
    for (const person of [ana, bor]) await person.call(sessions.refresh, {})
  })
})

describe('parameters of the authorization request (OpenID Connect Core §3.1.2.1)', () => {
  test('prompt=none never shows a page', async () => {
    const errorOf = async (browser: Pick<SignedIn, 'request'>, params = {}) =>
      (await authorize(browser, app, { prompt: 'none', ...params })).searchParams.get('error')
    const unconfirmed = server.browser()
    await unconfirmed.call(signIn.register, { ...people.cvetka, email: 'nova@example.com' })
    expect(await errorOf(server.browser())).toBe('login_required')
    expect(await errorOf(unconfirmed)).toBe('interaction_required')
    expect(await errorOf(await server.as(people.cvetka))).toBe('consent_required')
    expect(await errorOf(ana)).toBe(null)
  })

  test('without a scope that exists, the request is answered invalid_scope, without a consent page', async () => {
    const browser = server.browser()
    for (const person of [ana, bor, browser])
      for (const scope of [undefined, '', 'unknown', 'no.such.scope another'])
        for (const prompt of [undefined, 'none']) {
          const back = await authorize(person, app, { scope, prompt })
          expect([scope, back.origin + back.pathname]).toEqual([scope, jadrolet.redirect_uri])
          expect(query(back)).toMatchObject({ error: 'invalid_scope', state: 'a state' })
        }
  })

  test('prompt=login requires a sign-in after the request, also of a signed-in user', async () => {
    const browser = await server.as(people.ana)
    for (const prompt of ['login', 'select_account']) {
      server.clock.advance(1)
      const interaction = await interactionFor(browser, { prompt })
      expect(query(await follow(browser, interaction))).toEqual({ redirect: interaction, prompt: 'login' })
      server.clock.advance(1)
      await browser.call(signIn.login, { username: people.ana.email, password: people.ana.password })
      expect((await follow(browser, interaction)).searchParams.get('code')).toBeTruthy()
    }
  })

  test('max_age requires a more recent sign-in', async () => {
    const browser = await server.as(people.ana)
    server.clock.advance(100)
    expect((await authorize(browser, app, { max_age: '100' })).searchParams.get('code')).toBeTruthy()
    // Whatever is accepted counts: 0x63 is 99.
    for (const max_age of ['99.0', '9.9e1', '0x63', ' 99', '+99'])
      expect((await authorize(browser, app, { max_age, prompt: 'none' })).searchParams.get('error')).toBe(
        'login_required',
      )
    const interaction = await interactionFor(browser, { max_age: '99' })
    expect((await follow(browser, interaction)).pathname).toBe('/login')
    server.clock.advance(1)
    await browser.call(sessions.reauthenticate, { password: people.ana.password })
    expect((await follow(browser, interaction)).searchParams.get('code')).toBeTruthy()
  })

  test('prompt=consent asks although all scopes are granted', async () => {
    expect((await follow(ana, await interactionFor(ana, { prompt: 'consent' }))).pathname).toBe('/oauth')
  })

  test('id_token_hint of another user leads to the sign-in, and to login_required when a different user signs in', async () => {
    await allow(bor, app)
    const { id_token } = await signInTo(server, bor, app)
    const browser = await server.as(people.ana)
    expect((await authorize(browser, app, { id_token_hint: id_token, prompt: 'none' })).searchParams.get('error')).toBe(
      'login_required',
    )
    server.clock.advance(1)
    const interaction = await interactionFor(browser, { id_token_hint: id_token })
    expect((await follow(browser, interaction)).pathname).toBe('/login')
    server.clock.advance(1)
    await browser.call(signIn.login, { username: people.ana.email, password: people.ana.password })
    expect(query(await follow(browser, interaction))).toMatchObject({ error: 'login_required', iss: server.config.url })
  })

  test('id_token_hint and claims that require different users are answered invalid_request', async () => {
    const { id_token } = await signInTo(server, ana, app)
    const claims = (sub: string) => JSON.stringify({ id_token: { sub: { value: sub } } })
    const both = { id_token_hint: id_token, claims: claims(ana.user.id) }
    expect(query(await authorize(ana, app, both))).toHaveProperty('code')
    for (const prompt of [undefined, 'none', 'login']) {
      const refused = await authorize(ana, app, { ...both, claims: claims(bor.user.id), prompt })
      expect(query(refused)).toMatchObject({ error: 'invalid_request', state: 'a state' })
    }
  })

  test('ui_locales is passed to the login page, and an unknown display value is ignored', async () => {
    const browser = server.browser()
    const wishes = { ui_locales: 'hr sl-SI', display: 'touch', acr_values: 'urn:nobody:knows' }
    const login = await follow(browser, await interactionFor(browser, wishes))
    expect(login.searchParams.get('ui_locales')).toBe('hr sl-SI')
  })

  test('login_hint is passed to the login page', async () => {
    const browser = server.browser()
    const login = await follow(browser, await interactionFor(browser, { login_hint: 'ana@example.com' }))
    expect(login.searchParams.get('login_hint')).toBe('ana@example.com')
  })

  test('a client that cannot be identified needs consent every time (RFC 8252 §8.6)', async () => {
    const native = await organization.app({
      name: 'Na telefonu',
      type: 'native',
      redirect_uri: 'http://127.0.0.1/callback',
    })
    await allow(ana, native)
    const at = { redirect_uri: 'http://127.0.0.1:49152/callback' }
    const interaction = await interactionFor(ana, at, native)
    const uid = (await follow(ana, interaction)).searchParams.get('uid') as string
    await ana.call(connections.submitConsent, { client: native.client_id, scopes: ['openid'], uid })
    expect((await follow(ana, interaction)).searchParams.get('code')).toBeTruthy()
    expect((await follow(ana, await interactionFor(ana, at, native))).pathname).toBe('/oauth')
  })
})

import { account, clients, LIFETIMES, sessions, signIn } from '@vrata/contract'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** OpenID Connect RP-Initiated Logout 1.0 */
let server: TestServer
let ana: SignedIn
let app: ThirdParty
const BACK = 'http://localhost:4000/bye'

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await ana.call(clients.updateAdvanced, { id: app.client_id, post_logout_redirect_uris: [BACK] })
  await allow(ana, app)
})
afterAll(() => server.close())

type Browser = Pick<SignedIn, 'request'>
const requestSignOut = (browser: Browser, params: Record<string, string>) =>
  browser.request({ url: `/end-session?${new URLSearchParams(params)}` })
const secretIn = (html: string) => /name="xsrf" value="(\w+)"/.exec(html)?.[1] ?? ''
const answer = (browser: Browser, form: Record<string, string>, headers: Record<string, string> = {}) =>
  browser.request({
    method: 'POST',
    url: '/end-session/confirm',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
const signedIn = async (browser: SignedIn) => (await browser.call(account.getAccount, {})).ok

describe('a client requests a sign-out', () => {
  test('asks the user; yes ends the session with its tokens and redirects to the client', async () => {
    const person = await server.as(people.ana)
    const tokens = await signInTo(server, person, app)
    const page = await requestSignOut(person, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: BACK,
      state: 'x y',
    })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(page.body).toContain('Aplikacija Jadrolet vas želi odjaviti')
    expect(page.body).toContain('<link rel="icon" href="/favicon.svg"')
    expect(page.headers['content-security-policy']).toContain("img-src 'self'")
    // One script, which reads the chosen theme; the policy allows no other.
    expect(page.body.match(/<script>.*?<\/script>/g)).toEqual([expect.stringContaining('localStorage.theme')])
    expect(page.headers['content-security-policy']).toMatch(/script-src 'sha256-[\w+/]+='/)
    expect(await signedIn(person)).toBe(true)

    const gone = await answer(person, { xsrf: secretIn(page.body), logout: 'yes' })
    expect([gone.statusCode, gone.headers.location]).toEqual([303, `${BACK}?state=x+y`])
    expect(gone.headers['clear-site-data']).toBe('"cache"')
    expect(gone.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['vrata_sid', ''],
      ['vrata_access', ''],
    ])
    expect(await signedIn(person)).toBe(false)
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    expect((await refresh(server, app, tokens.refresh_token)).statusCode).toBe(400)
    expect((await authorize(person, app, { prompt: 'none' })).searchParams.get('error')).toBe('login_required')
  })

  test('a person who presses yes twice, or did not get the answer, still returns to the client', async () => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app)
    const page = await requestSignOut(person, { id_token_hint: id_token, post_logout_redirect_uri: BACK, state: 's' })
    const yes = () => answer(person, { xsrf: secretIn(page.body), logout: 'yes' })
    const answers = await Promise.all(Array.from({ length: 8 }, yes))
    for (const gone of [...answers, await yes()])
      expect([gone.statusCode, gone.headers.location]).toEqual([303, `${BACK}?state=s`])
    // A user who signs in again is asked again.
    const { email, password } = people.ana
    expect(await person.call(signIn.login, { username: email, password })).toMatchObject({ ok: true })
    expect((await yes()).statusCode).toBe(400)
    expect(await signedIn(person)).toBe(true)
  })

  test('each of two tabs returns to its own client', async () => {
    const person = await server.as(people.ana)
    const first = await requestSignOut(person, { client_id: app.client_id, post_logout_redirect_uri: BACK })
    const second = await requestSignOut(person, {})
    const gone = await answer(person, { xsrf: secretIn(first.body), logout: 'yes' })
    expect([gone.statusCode, gone.headers.location]).toEqual([303, BACK])
    expect(await signedIn(person)).toBe(false)
    const after = await answer(person, { xsrf: secretIn(second.body), logout: 'yes' })
    expect([after.statusCode, after.headers.location]).toEqual([303, '/end-session/success'])
  })

  test('a question that has expired is asked again', async () => {
    const person = await server.as(people.ana)
    const page = await requestSignOut(person, { client_id: app.client_id, post_logout_redirect_uri: BACK })
    server.clock.advance(LIFETIMES.fresh_sign_in + 1)
    const late = await answer(person, { xsrf: secretIn(page.body), logout: 'yes' }, { accept: 'text/html' })
    expect([late.statusCode, late.headers.location]).toEqual([303, '/end-session'])
    const again = await person.request({ url: '/end-session' })
    await answer(person, { xsrf: secretIn(again.body), logout: 'yes' })
    expect((await authorize(person, app, { prompt: 'none' })).searchParams.get('error')).toBe('login_required')
  })

  test('no keeps the user signed in', async () => {
    const person = await server.as(people.ana)
    const tokens = await signInTo(server, person, app)
    const page = await requestSignOut(person, { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK })
    const stays = await answer(person, { xsrf: secretIn(page.body) })
    expect(stays.headers.location).toBe(BACK)
    expect(await signedIn(person)).toBe(true)
    const again = await person.call(sessions.refresh, {})
    expect(again.ok).toBe(true)
  })

  test('accepts a form: a cross-site POST is redirected as GET to get the cookies', async () => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app)
    const form = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: BACK, state: 's' })
    const posted = await server.app.inject({
      method: 'POST',
      url: '/end-session',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://jadrolet.example' },
      payload: form.toString(),
    })
    expect([posted.statusCode, posted.headers.location]).toEqual([303, `/end-session?${form}`])
    const page = await person.request({ url: posted.headers.location as string })
    expect(page.body).toContain('Aplikacija Jadrolet vas želi odjaviti')
  })

  test('keeps other sessions and the consent (protocol §3.2)', async () => {
    const [leaving, staying] = [await server.as(people.ana), await server.as(people.ana)]
    const kept = await signInTo(server, staying, app)
    const { id_token } = await signInTo(server, leaving, app)
    await answer(leaving, {
      xsrf: secretIn((await requestSignOut(leaving, { id_token_hint: id_token })).body),
      logout: 'yes',
    })
    expect(await signedIn(staying)).toBe(true)
    expect((await refresh(server, app, kept.refresh_token)).statusCode).toBe(200)
    expect((await authorize(staying, app)).searchParams.get('code')).toBeTruthy()
  })

  test('uses the language of the user, and names no client when none is given', async () => {
    const person = await server.as(people.ana)
    person.cookies.set('language', 'sl-SI')
    const page = await requestSignOut(person, {})
    expect(page.body).toContain('<html lang="sl-SI">')
    expect(page.body).toContain('Se želite odjaviti?')
    const gone = await answer(person, { xsrf: secretIn(page.body), logout: 'yes' })
    expect(new URL(gone.headers.location as string, server.config.url).pathname).toBe('/end-session/success')
    const end = await person.request({ url: gone.headers.location as string })
    expect([end.statusCode, end.headers['content-security-policy']]).toEqual([
      200,
      page.headers['content-security-policy'],
    ])
    expect(end.body).toContain('<h1>Odjavljeni ste</h1>')
    expect(end.body).toContain('action="/login"')
  })

  test('redirects a user who stays signed in to the account', async () => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app)
    const page = await requestSignOut(person, { id_token_hint: id_token })
    const stays = await answer(person, { xsrf: secretIn(page.body) })
    const on = await person.request({ url: stays.headers.location as string })
    expect([on.statusCode, on.headers.location]).toEqual([303, '/login'])
  })

  test.each([undefined, BACK])(
    'no leads to the account when the client was disabled meanwhile (back to %s)',
    async (back) => {
      const person = await server.as(people.ana)
      const off = await (await createOrganization(server, person)).app()
      await person.call(clients.updateAdvanced, { id: off.client_id, post_logout_redirect_uris: [BACK] })
      await allow(person, off)
      const { id_token } = await signInTo(server, person, off)
      const page = await requestSignOut(person, {
        id_token_hint: id_token,
        ...(back && { post_logout_redirect_uri: back }),
      })
      await person.call(clients.updateClientInfo, { id: off.client_id, enabled: false })
      const stays = await answer(person, { xsrf: secretIn(page.body) })
      const on = await person.request({ url: stays.headers.location as string, headers: { accept: 'text/html' } })
      expect([on.statusCode, on.headers.location]).toEqual([303, '/login'])
      expect(await signedIn(person)).toBe(true)
    },
  )

  test.each([
    ['yes', { logout: 'yes' }],
    ['no', {}],
  ])('%s does not lead to an address that was removed meanwhile', async (_, form) => {
    const person = await server.as(people.ana)
    const other = await (await createOrganization(server, person)).app()
    const setAddresses = (post_logout_redirect_uris: string[]) =>
      person.call(clients.updateAdvanced, { id: other.client_id, post_logout_redirect_uris })
    await setAddresses([BACK])
    await allow(person, other)
    const { id_token } = await signInTo(server, person, other)
    const page = await requestSignOut(person, { id_token_hint: id_token, post_logout_redirect_uri: BACK, state: 's' })
    await setAddresses([])
    const answered = await answer(person, { xsrf: secretIn(page.body), ...form })
    expect([answered.statusCode, answered.headers.location]).toEqual([303, '/end-session/success'])
  })

  test('redirects at once when no user is signed in', async () => {
    const visitor = server.browser()
    const back = await requestSignOut(visitor, { client_id: app.client_id, post_logout_redirect_uri: BACK, state: 's' })
    expect([back.statusCode, back.headers.location]).toEqual([303, `${BACK}?state=s`])
    const gone = await visitor.request({ url: (await requestSignOut(visitor, {})).headers.location as string })
    expect(gone.body).toContain('<h1>You are signed out</h1>')
    expect(back.cookies).toEqual([])
  })

  test('accepts an ID token hint that is older than the algorithm which the client has chosen since', async () => {
    const person = await server.as(people.ana)
    const organization = await createOrganization(server, person)
    for (const [before, after] of [
      ['RS256', 'ES256'],
      ['ES256', 'RS256'],
      ['EdDSA', 'RS256'],
    ] as const) {
      const other = await organization.app()
      await allow(person, other)
      const choose = (id_token_signed_response_alg: typeof before) =>
        person.call(clients.updateAdvanced, { id: other.client_id, id_token_signed_response_alg })
      expect(await choose(before)).toMatchObject({ ok: true })
      const { id_token } = await signInTo(server, person, other)
      expect(decodeProtectedHeader(id_token).alg).toBe(before)
      expect(await choose(after)).toMatchObject({ ok: true })
      expect((await requestSignOut(person, { id_token_hint: id_token })).statusCode).toBe(200)
      const silent = await authorize(person, other, { prompt: 'none', id_token_hint: id_token })
      expect(silent.searchParams.has('code')).toBe(true)
    }
  })

  test('shows the error page of sign-outs for an unregistered address', async () => {
    const { id_token } = await signInTo(server, ana, app)
    const params = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${BACK}?added=1` })
    const rejected = await ana.request({ url: `/end-session?${params}`, headers: { accept: 'text/html' } })
    expect(rejected.headers.location).toBe(
      `/oauth?error=invalid_post_logout_redirect_uri&client_id=${app.client_id}&sign_out=true`,
    )
  })

  test('the error page learns that a sign-out was refused, also where the code of the error is that of sign-ins', async () => {
    const person = await server.as(people.ana)
    const off = await (await createOrganization(server, person)).app()
    await allow(person, off)
    const { id_token } = await signInTo(server, person, off)
    await person.call(clients.updateClientInfo, { id: off.client_id, enabled: false })
    for (const [query, error] of [
      [`id_token_hint=${id_token}`, 'client_disabled'],
      ['state=a&state=b', 'invalid_request'],
    ]) {
      const rejected = await person.request({ url: `/end-session?${query}`, headers: { accept: 'text/html' } })
      const shown = new URL(rejected.headers.location as string, server.config.url)
      expect(shown.pathname).toBe('/oauth')
      expect(Object.fromEntries(shown.searchParams)).toMatchObject({ error, sign_out: 'true' })
    }
    expect(await signedIn(person)).toBe(true)
  })

  test.each([
    ['without a signature', (token: string) => `${btoa('{"alg":"none"}').replaceAll('=', '')}.${token.split('.')[1]}.`],
    ['with another signature', (token: string) => `${token.split('.').slice(0, 2).join('.')}.e30`],
    [
      'of another issuer',
      () =>
        `${[{ alg: 'RS256' }, { aud: 'nobody' }].map((part) => btoa(JSON.stringify(part)).replaceAll('=', '')).join('.')}.e30`,
    ],
    ['that cannot be read', () => 'no-token'],
  ])('shows the error page for an ID token hint %s, and signs nobody out', async (_, change) => {
    const person = await server.as(people.ana)
    const { id_token } = await signInTo(server, person, app)
    const params = new URLSearchParams({ id_token_hint: change(id_token), post_logout_redirect_uri: BACK })
    const rejected = await person.request({ url: `/end-session?${params}`, headers: { accept: 'text/html' } })
    expect(rejected.headers.location).toBe('/oauth?error=invalid_id_token_hint&sign_out=true')
    expect(await signedIn(person)).toBe(true)
  })

  test.each([
    ['an address that is not registered', { post_logout_redirect_uri: 'https://evil.example/' }],
    ['a hint that is none of ours', { id_token_hint: 'e30.e30.e30', post_logout_redirect_uri: BACK }],
    ['another client than that of the hint', { client_id: 'somebody' }],
  ])('%s leads nowhere', async (_, params) => {
    const { id_token } = await signInTo(server, ana, app)
    const rejected = await requestSignOut(ana, { id_token_hint: id_token, ...params })
    const shown = rejected.headers.location
      ? new URL(rejected.headers.location as string, server.config.url).origin
      : server.config.url
    expect(shown).toBe(server.config.url)
    expect(rejected.statusCode).not.toBe(200)
  })

  test.each([
    ['', {}],
    [' of a sign-out that returns to a client', { post_logout_redirect_uri: BACK }],
  ])('rejects a forged confirmation%s', async (_, params) => {
    const person = await server.as(people.ana)
    await requestSignOut(person, { client_id: app.client_id, ...params })
    const forged = await answer(person, { xsrf: 'a'.repeat(48), logout: 'yes' })
    expect(forged.statusCode).toBe(400)
    const other = await server.as(people.ana)
    const theirs = secretIn((await requestSignOut(other, {})).body)
    expect((await answer(person, { xsrf: theirs, logout: 'yes' })).statusCode).toBe(400)
    expect(await signedIn(person)).toBe(true)
  })
})

import { account, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailedToken, registerConfirmedUser, registerUser } from '../../../test/registered-user.ts'
import { withSecondFactor } from '../../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Headers that a browser sends with a form of a page without referrer. */
const NATIVE = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' }

function send(browser: Caller, url: string, fields: [string, string][], headers: Record<string, string> = NATIVE) {
  return browser.request({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() })
}

describe('forms without script', () => {
  test('signs in and redirects to the requested page', async () => {
    const ana = await registerUser(server)
    const browser = server.browser()
    const fields: [string, string][] = [
      ['username', ana.email],
      ['password', ana.password],
      ['remember', 'on'],
    ]
    const answer = await send(browser, '/login?redirect=%2Fsecurity%3Fa%3D1&skip=true', fields)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/security?a=1')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await browser.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test('continues an authorization request by a meta refresh, which form-action does not block', async () => {
    const ana = await registerUser(server)
    const redirect = '/authorize?client_id=jadrolet&scope=openid%20email&state="><b>'
    const answer = await send(server.browser({ language: 'sl-SI' }), `/login?${new URLSearchParams({ redirect })}`, [
      ['username', ana.email],
      ['password', ana.password],
    ])
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toContain(
      '<meta http-equiv="refresh" content="0;url=/authorize?client_id=jadrolet&amp;scope=openid%20email&amp;state=%22%3E%3Cb%3E">',
    )
    expect(answer.body).toContain('>Nadaljuj</a>')
  })

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'rejects a redirect to another site: %s (ASVS 3.7.2)',
    async (redirect) => {
      const ana = await registerUser(server)
      const answer = await send(server.browser(), `/login?${new URLSearchParams({ redirect })}`, [
        ['username', ana.email],
        ['password', ana.password],
      ])
      expect(answer.headers.location).toBe('/')
    },
  )

  test('keeps in every step that an app asks for a new sign-in, or who is signed in would be sent on', async () => {
    const ana = await registerConfirmedUser(server)
    await withSecondFactor(server, ana)
    const asked = '/login?redirect=%2Fauthorize%2Fa-1&prompt=login'
    const password: [string, string][] = [
      ['username', ana.email],
      ['password', ana.password],
    ]
    for (const fields of [
      password,
      [['to_signup', '']],
      [['to_forgot', '']],
      [['to_signin', '']],
    ] as (typeof password)[]) {
      const { location = '' } = (await send(ana, asked, fields)).headers
      expect(new URL(location, server.config.url).searchParams.get('prompt')).toBe('login')
      expect(new URL(location, server.config.url).searchParams.get('redirect')).toBe('/authorize/a-1')
    }
  })

  test('redirects back to the page with the problem after a wrong password', async () => {
    const ana = await registerUser(server)
    const browser = server.browser()
    const answer = await send(browser, '/login?redirect=%2Fhome', [
      ['username', ana.email],
      ['password', 'napacno geslo'],
    ])
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/login?redirect=%2Fhome&problem=invalid_credentials')
    expect([...browser.cookies.keys()]).toEqual(['vrata_entered'])
    expect([...browser.cookies.values()].join()).not.toContain('napacno')
  })

  test('keeps why the account is disabled for the page, and not what a form says', async () => {
    const ana = await registerUser(server)
    const columns = { disabled_at: server.clock.now().toISOString(), disabled_reason: 'A stolen phone' }
    await server.store.db.updateTable('users').set(columns).where('id', '=', ana.user.id).execute()
    const keptAfter = async (password: string) => {
      const browser = server.browser()
      const fields: [string, string][] = [
        ['username', ana.email],
        ['password', password],
        ['reason', 'of a form'],
      ]
      const answer = await send(browser, '/login', fields)
      const kept = decodeURIComponent(browser.cookies.get('vrata_entered') ?? '')
      return [answer.headers.location, new URLSearchParams(kept).get('reason')]
    }
    expect(await keptAfter(ana.password)).toEqual(['/login?problem=account_disabled', 'A stolen phone'])
    expect(await keptAfter('napacno geslo')).toEqual(['/login?problem=invalid_credentials', null])
  })

  test('creates an account', async () => {
    const browser = server.browser()
    const answer = await send(browser, '/login', [
      ['email', 'brez-skripte@example.com'],
      ['password', 'burja-nad-krasom-3'],
    ])
    expect(answer.headers.location).toBe('/verify')
    expect(await browser.call(account.getAccount)).toMatchObject({ data: { email: 'brez-skripte@example.com' } })
  })

  test.each([
    ['registration', 'to_signup', '/login?register=true'],
    ['the form of a forgotten password', 'to_forgot', '/login?forgot=true'],
    ['the first step', 'to_signin', '/login'],
  ])('leads to %s with the page that was requested', async (_, step, path) => {
    const redirect = '/authorize/a-1'
    const url = `/login?${new URLSearchParams({ redirect, skip: 'true', sent: 'true' })}`
    const answer = await send(server.browser(), url, [[step, '']])
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(`${path}${path.includes('?') ? '&' : '?'}redirect=%2Fauthorize%2Fa-1`)
    const elsewhere = `/login?${new URLSearchParams({ redirect: '//evil.example' })}`
    expect((await send(server.browser(), elsewhere, [[step, '']])).headers.location).toBe(path)
  })

  test('signs out and continues to the sign-in page with the page that was requested', async () => {
    const ana = await registerUser(server)
    const answer = await send(ana, '/logout?redirect=%2Fauthorize%2Fa-1', [])
    expect(answer.headers.location).toBe('/login?redirect=%2Fauthorize%2Fa-1&skip=true')
    expect((await send(ana, '/logout?redirect=%2F%2Fevil.example', [])).headers.location).toBe('/login?skip=true')
  })

  test('redirects back to registration with the problem of the address or the password', async () => {
    const ana = await registerUser(server)
    const url = '/login?register=true&redirect=%2Fauthorize%2Fa-1'
    const post = async (email: string, password: string) =>
      (
        await send(server.browser(), url, [
          ['first_name', ''],
          ['last_name', ''],
          ['email', email],
          ['password', password],
        ])
      ).headers.location
    expect(await post(ana.email, 'burja-nad-krasom-3')).toBe(`${url}&problem=email_exists`)
    expect(await post('nova@example.com', 'password1234')).toBe(`${url}&problem=password_breached`)
  })

  test('confirms an address by the button, not by opening the link', async () => {
    const ana = await registerUser(server)
    const url = `/confirm-email/${await mailedToken(server, ana.email)}`
    await ana.request({ method: 'GET', url })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email_verified: false } })
    // The browser that opens the mail need not be signed in, or may be signed in as another person.
    const other = server.browser()
    const done = (await send(other, url, [])).headers.location ?? ''
    expect((await other.request({ url: done })).body).toMatch(/<h1>Email confirmed<.*Your email address is confirmed/s)
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email_verified: true } })
    // A double click sends it twice.
    expect((await send(other, url, [])).headers.location).toBe(done)
    const unknown = '/confirm-email/not-a-token'
    expect((await send(ana, unknown, [])).headers.location).toBe(`${unknown}?problem=invalid_token`)
  })

  test('sets a new password by the form of a reset link', async () => {
    const ana = await registerUser(server)
    await server.browser().call(signIn.forgotPassword, { email: ana.email })
    const url = `/change-password/${await mailedToken(server, ana.email)}`
    const short = await send(server.browser(), url, [['new_password', 'kratko']])
    expect(short.headers.location).toBe(`${url}?problem=password_too_short`)
    const browser = server.browser()
    const answer = await send(browser, url, [['new_password', 'sonce-nad-zalivom-9']])
    const { body } = await browser.request({ url: answer.headers.location ?? '' })
    expect(body).toMatch(/<h1>Your password has been changed<.*Sign in with the new one/s)
    expect(body).toContain('href="/login?skip=true"')
    const again = await server.browser().call(signIn.login, { username: ana.email, password: 'sonce-nad-zalivom-9' })
    expect(again.ok).toBe(true)
  })

  test('sets a new password of an account with two-step sign-in, with a code of either kind', async () => {
    const ana = await registerConfirmedUser(server)
    const { phone, codes } = await withSecondFactor(server, ana)
    const ways = [phone.code(), codes[0] ?? '']
    for (const [number, code] of ways.entries()) {
      await server.browser().call(signIn.forgotPassword, { email: ana.email })
      const url = `/change-password/${await mailedToken(server, ana.email)}`
      const password = `sonce-nad-zalivom-${number}`
      const sent = (given: string) =>
        send(server.browser(), url, [
          ['new_password', password],
          ['code', given],
        ])
      expect((await sent('')).headers.location).toBe(`${url}?problem=otp_required`)
      expect((await sent('000000')).headers.location).toBe(`${url}?problem=invalid_otp`)
      expect((await sent(code)).headers.location).toBe('/change-password/plain/changed')
      const again = await server.browser().call(signIn.login, { username: ana.email, password })
      expect(again).toMatchObject({ data: { next: 'otp' } })
    }
  })

  test('signs out', async () => {
    const ana = await registerUser(server)
    const answer = await send(ana, '/logout', [])
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/login?skip=true')
    expect(answer.headers['clear-site-data']).toBe('"cache"')
    expect(await ana.call(account.getAccount)).toMatchObject({ http: 401 })
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site that hides its name', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['nobody knows where, in a browser that does not say', { origin: 'null' }],
  ])('is rejected from %s', async (_, headers) => {
    const ana = await registerUser(server)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await send(ana, '/logout', [], { ...type, ...headers })
    expect(answer.headers.location).toBe('/logout?problem=cross_site')
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
  })

  test.each([
    ['a field twice', { payload: 'username=a&username=b&password=c' }, 'invalid_request'],
    ['no field', { payload: '' }, 'invalid_request'],
    ['too much', { payload: `username=${'a'.repeat(70_000)}` }, 'payload_too_large'],
    ['JSON', { payload: '{}', headers: { ...NATIVE, 'content-type': 'application/json' } }, 'unsupported_media_type'],
  ])('%s leads back with its reason', async (_, request, code) => {
    const answer = await server.browser().request({ method: 'POST', url: '/login', headers: NATIVE, ...request })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(`/login?problem=${code}`)
  })
})

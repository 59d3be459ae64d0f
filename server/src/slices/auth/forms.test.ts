import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type House, openHouse } from '../../../test/house.ts'
import { mailedToken, newcomer } from '../../../test/newcomer.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

/** What a browser sends for a native form of a page without referrer. */
const NATIVE = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' }

function send(browser: Caller, url: string, fields: [string, string][], headers: Record<string, string> = NATIVE) {
  return browser.request({ method: 'POST', url, headers, payload: new URLSearchParams(fields).toString() })
}

describe('frontend §5.5 without script', () => {
  test('the login form signs in and goes on where the page was asked to', async () => {
    const ana = await newcomer(house)
    const browser = house.visitor()
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

  test('a sign-in that an app asked for goes on by a page of its own, which no form policy stops', async () => {
    const ana = await newcomer(house)
    const redirect = '/authorize?client_id=jadrolet&scope=openid%20email&state="><b>'
    const answer = await send(house.visitor({ language: 'sl-SI' }), `/login?${new URLSearchParams({ redirect })}`, [
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
    'ASVS 3.7.2 never leads away: %s',
    async (redirect) => {
      const ana = await newcomer(house)
      const answer = await send(house.visitor(), `/login?${new URLSearchParams({ redirect })}`, [
        ['username', ana.email],
        ['password', ana.password],
      ])
      expect(answer.headers.location).toBe('/')
    },
  )

  test('a wrong password leads back to the page, which is told why', async () => {
    const ana = await newcomer(house)
    const browser = house.visitor()
    const answer = await send(browser, '/login?redirect=%2Fhome', [
      ['username', ana.email],
      ['password', 'napacno geslo'],
    ])
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/login?redirect=%2Fhome&problem=invalid_credentials')
    expect(browser.cookies.size).toBe(0)
  })

  test('the form for a new account makes one', async () => {
    const browser = house.visitor()
    const answer = await send(browser, '/login', [
      ['email', 'brez-skripte@example.com'],
      ['password', 'burja-nad-krasom-3'],
    ])
    expect(answer.headers.location).toBe('/verify')
    expect(await browser.call(account.getAccount)).toMatchObject({ data: { email: 'brez-skripte@example.com' } })
  })

  test('the button of a confirmation link confirms, and opening the link does not', async () => {
    const ana = await newcomer(house)
    const url = `/confirm-email/${await mailedToken(house, ana.email)}`
    await ana.request({ method: 'GET', url })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email_verified: false } })
    expect((await send(ana, url, [])).headers.location).toBe('/home')
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { email_verified: true } })
    expect((await send(ana, url, [])).headers.location).toBe(`${url}?problem=invalid_token`)
  })

  test('the form behind a link of a forgotten password sets a new one', async () => {
    const ana = await newcomer(house)
    await house.visitor().call(auth.forgotPassword, { email: ana.email })
    const url = `/change-password/${await mailedToken(house, ana.email)}`
    const short = await send(house.visitor(), url, [['new_password', 'kratko']])
    expect(short.headers.location).toBe(`${url}?problem=password_too_short`)
    const answer = await send(house.visitor(), url, [['new_password', 'sonce-nad-zalivom-9']])
    expect(answer.headers.location).toBe('/login?skip=true')
    const again = await house.visitor().call(auth.login, { username: ana.email, password: 'sonce-nad-zalivom-9' })
    expect(again.ok).toBe(true)
  })

  test('the logout form signs out', async () => {
    const ana = await newcomer(house)
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
  ])('is refused from %s', async (_, headers) => {
    const ana = await newcomer(house)
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
    const answer = await house.visitor().request({ method: 'POST', url: '/login', headers: NATIVE, ...request })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(`/login?problem=${code}`)
  })
})

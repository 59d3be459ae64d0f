import { LIMITS, paths } from '@vrata/contract'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailedToken, mailsTo, registerUser } from '../../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** Headers that a browser sends with a form of a page without referrer. */
const NATIVE = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' }
const URL = paths.plainVerify('/authorize/a-1')

describe('waiting for the confirmation of an address without script', () => {
  test('names the address and leads back to the app', async () => {
    const ana = await registerUser(server)
    const { statusCode, body, headers } = await ana.request({ url: URL })
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain(`We sent a link to ${ana.email}.`)
    expect(body).toContain('<a href="/authorize/a-1">Confirmed, continue</a>')
    expect(body).not.toContain('role="alert"')
    await ana.request({
      method: 'POST',
      url: `/confirm-email/${await mailedToken(server, ana.email)}`,
      headers: NATIVE,
    })
    const confirmed = (await ana.request({ url: URL })).body
    expect(confirmed).toContain('<h1>Email confirmed</h1>')
    expect(confirmed).toContain('<a href="/authorize/a-1">Continue</a>')
  })

  test('sends the mail again, and says when that is too often', async () => {
    const ana = await registerUser(server)
    const post = async () => (await ana.request({ method: 'POST', url: URL, headers: NATIVE })).headers.location ?? ''
    const before = (await mailsTo(server, ana.email)).length
    const [, action = ''] =
      /<form method="post" action="([^"]+)">/.exec((await ana.request({ url: `${URL}&sent=true` })).body) ?? []
    expect(action).toBe(URL)
    const sent = await post()
    expect(sent).toBe('/verify/plain?redirect=%2Fauthorize%2Fa-1&sent=true')
    expect((await mailsTo(server, ana.email)).length).toBe(before + 1)
    expect((await ana.request({ url: sent })).body).toContain('<p role="status">We sent the email again.</p>')
    for (let i = 1; i < LIMITS.confirmation_mails_per_address; i += 1) await post()
    const refused = await post()
    expect(refused).toBe('/verify/plain?redirect=%2Fauthorize%2Fa-1&problem=too_many_requests')
    expect((await ana.request({ url: refused })).body).toContain('<p role="alert">Too many attempts.')
  })

  test('leads nowhere else', async () => {
    const ana = await registerUser(server)
    for (const redirect of ['//evil.example', 'javascript:alert(1)', '/\\\\evil.example', '"><script>'])
      expect((await ana.request({ url: `/verify/plain?${new URLSearchParams({ redirect })}` })).body).toContain(
        `<a href="${paths.home}">`,
      )
  })

  test('asks a visitor without a session to sign in, and renews an expired one', async () => {
    const { headers } = await server.browser().request({ url: URL })
    expect(headers.location).toBe(paths.loginUnasked(paths.verify('/authorize/a-1')))
    const ana = await registerUser(server)
    server.clock.advance(LIFETIMES.access_cookie * 1000 + 1000)
    expect((await ana.request({ url: URL })).headers.location).toBe(`${URL}&renewed=true`)
  })
})

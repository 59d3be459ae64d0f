import { account, auth, clients } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, authorize, refresh, signInTo, type ThirdParty, userinfo } from '../../test/third-party.ts'

/** OpenID Connect RP-Initiated Logout 1.0 */
let house: House
let ana: SignedIn
let app: ThirdParty
const BACK = 'http://localhost:4000/bye'

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
  await ana.call(clients.updateAdvanced, { id: app.client_id, post_logout_redirect_uris: [BACK] })
  await allow(ana, app)
})
afterAll(() => house.close())

type Browser = Pick<SignedIn, 'request'>
const ask = (browser: Browser, params: Record<string, string>) =>
  browser.request({ url: `/end-session?${new URLSearchParams(params)}` })
const secretIn = (html: string) => /name="xsrf" value="(\w+)"/.exec(html)?.[1] ?? ''
const answer = (browser: Browser, form: Record<string, string>) =>
  browser.request({
    method: 'POST',
    url: '/end-session/confirm',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
const signedIn = async (browser: SignedIn) => (await browser.call(account.getAccount, {})).ok

describe('an app asks to sign the person out', () => {
  test('they are asked; yes ends the session and all that came of it, and leads back to the app', async () => {
    const person = await house.as(people.ana)
    const tokens = await signInTo(house, person, app)
    const page = await ask(person, { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK, state: 'x y' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(page.body).toContain('Jadrolet asks to sign you out')
    // One script, which only reads the theme that was chosen; the policy lets no other run.
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
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
    expect((await refresh(house, app, tokens.refresh_token)).statusCode).toBe(400)
    expect((await authorize(person, app, { prompt: 'none' })).searchParams.get('error')).toBe('login_required')
  })

  test('no keeps them signed in', async () => {
    const person = await house.as(people.ana)
    const tokens = await signInTo(house, person, app)
    const page = await ask(person, { id_token_hint: tokens.id_token, post_logout_redirect_uri: BACK })
    const stays = await answer(person, { xsrf: secretIn(page.body) })
    expect(stays.headers.location).toBe(BACK)
    expect(await signedIn(person)).toBe(true)
    const again = await person.call(auth.refresh, {})
    expect(again.ok).toBe(true)
  })

  test('by a form, too: what another site posts brings no cookies, so it comes again as an address', async () => {
    const person = await house.as(people.ana)
    const { id_token } = await signInTo(house, person, app)
    const form = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: BACK, state: 's' })
    const posted = await house.app.inject({
      method: 'POST',
      url: '/end-session',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://jadrolet.example' },
      payload: form.toString(),
    })
    expect([posted.statusCode, posted.headers.location]).toEqual([303, `/end-session?${form}`])
    const page = await person.request({ url: posted.headers.location as string })
    expect(page.body).toContain('Jadrolet asks to sign you out')
  })

  test('another session is left alone, and the consent stays (hazard 2)', async () => {
    const [leaving, staying] = [await house.as(people.ana), await house.as(people.ana)]
    const kept = await signInTo(house, staying, app)
    const { id_token } = await signInTo(house, leaving, app)
    await answer(leaving, { xsrf: secretIn((await ask(leaving, { id_token_hint: id_token })).body), logout: 'yes' })
    expect(await signedIn(staying)).toBe(true)
    expect((await refresh(house, app, kept.refresh_token)).statusCode).toBe(200)
    expect((await authorize(staying, app)).searchParams.get('code')).toBeTruthy()
  })

  test('in the person’s language, without saying which app when none is named', async () => {
    const person = await house.as(people.ana)
    person.cookies.set('language', 'sl-SI')
    const page = await ask(person, {})
    expect(page.body).toContain('<html lang="sl-SI">')
    expect(page.body).toContain('Se želite odjaviti?')
    const gone = await answer(person, { xsrf: secretIn(page.body), logout: 'yes' })
    expect(new URL(gone.headers.location as string, house.config.url).pathname).toBe('/end-session/success')
    const end = await person.request({ url: gone.headers.location as string })
    expect([end.statusCode, end.headers['content-security-policy']]).toEqual([
      200,
      page.headers['content-security-policy'],
    ])
    expect(end.body).toContain('<h1>Odjavljeni ste</h1>')
    expect(end.body).toContain('action="/login"')
  })

  test('who stays signed in, and whom no app awaits, is led on', async () => {
    const person = await house.as(people.ana)
    const { id_token } = await signInTo(house, person, app)
    const page = await ask(person, { id_token_hint: id_token })
    const stays = await answer(person, { xsrf: secretIn(page.body) })
    const on = await person.request({ url: stays.headers.location as string })
    expect([on.statusCode, on.headers.location]).toEqual([303, '/login'])
  })

  test('nobody signed in: there is nothing to ask', async () => {
    const visitor = house.visitor()
    const back = await ask(visitor, { client_id: app.client_id, post_logout_redirect_uri: BACK, state: 's' })
    expect([back.statusCode, back.headers.location]).toEqual([303, `${BACK}?state=s`])
    const gone = await visitor.request({ url: (await ask(visitor, {})).headers.location as string })
    expect(gone.body).toContain('<h1>You are signed out</h1>')
    expect(back.cookies).toEqual([])
  })

  test('the page names what is wrong with the address', async () => {
    const { id_token } = await signInTo(house, ana, app)
    const params = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${BACK}?added=1` })
    const refused = await ana.request({ url: `/end-session?${params}`, headers: { accept: 'text/html' } })
    expect(refused.headers.location).toBe(`/oauth?error=invalid_redirect_uri&client_id=${app.client_id}`)
  })

  test.each([
    ['an address that is not registered', { post_logout_redirect_uri: 'https://evil.example/' }],
    ['a hint that is none of ours', { id_token_hint: 'e30.e30.e30', post_logout_redirect_uri: BACK }],
    ['another app than the hint’s', { client_id: 'somebody' }],
  ])('%s leads nowhere', async (_, params) => {
    const { id_token } = await signInTo(house, ana, app)
    const refused = await ask(ana, { id_token_hint: id_token, ...params })
    const shown = refused.headers.location
      ? new URL(refused.headers.location as string, house.config.url).origin
      : house.config.url
    expect(shown).toBe(house.config.url)
    expect(refused.statusCode).not.toBe(200)
  })

  test('a forged answer signs nobody out', async () => {
    const person = await house.as(people.ana)
    await ask(person, {})
    const forged = await answer(person, { xsrf: 'a'.repeat(48), logout: 'yes' })
    expect(forged.statusCode).toBe(400)
    const other = await house.as(people.ana)
    const theirs = secretIn((await ask(other, {})).body)
    expect((await answer(person, { xsrf: theirs, logout: 'yes' })).statusCode).toBe(400)
    expect(await signedIn(person)).toBe(true)
  })
})

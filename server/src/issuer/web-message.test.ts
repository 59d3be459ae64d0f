import { clients } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { allow, authorizeUrl, type ThirdParty } from '../../test/third-party.ts'

const ORIGIN = new URL(jadrolet.redirect_uri).origin

let house: House
let ana: SignedIn
let app: ThirdParty
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
})
afterAll(() => house?.close())

beforeEach(async () => {
  app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
  await ana.call(clients.updateAdvanced, { id: app.client_id, allow_popup: true })
  await ana.call(clients.addOrigin, { id: app.client_id, origin: ORIGIN })
})

const popup = (params = {}, by: Pick<SignedIn, 'request'> = ana) =>
  by.request({ url: authorizeUrl(app, { response_mode: 'web_message', ...params }) })

/** What the page says, read as its script reads it. */
const told = (body: string) => JSON.parse(/type="application\/json">(.*?)<\/script>/.exec(body)?.[1] ?? 'null')

describe('signing in by a popup (api.md §6)', () => {
  test('the window that opened it is told the code, at the registered origin and nowhere else', async () => {
    const answer = await popup()
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(answer.headers['cross-origin-opener-policy'] ?? 'unsafe-none').toBe('unsafe-none')
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'sha256-[^']+';/)
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const { target, response, otherwise } = told(answer.body)
    expect(target).toBe(ORIGIN)
    expect(response).toEqual({ code: expect.any(String), state: 'a state', iss: house.config.url })
    expect(otherwise).toBe(`${jadrolet.redirect_uri}?${new URLSearchParams(response)}`)
  })

  test('an error is told in the same way', async () => {
    const { target, response } = told((await popup({ prompt: 'none' }, house.visitor())).body)
    expect(target).toBe(ORIGIN)
    expect(response).toMatchObject({ error: 'login_required', state: 'a state', iss: house.config.url })
  })

  test('what an app sends along cannot break out of the page', async () => {
    const state = `</script><script>alert(1)</script>`
    const { body } = await popup({ state })
    expect(body).not.toContain('<script>alert')
    expect(told(body).response.state).toBe(state)
  })

  test.each([
    ['popups are switched off', () => ana.call(clients.updateAdvanced, { id: app.client_id, allow_popup: false })],
    ['its origin is not registered', () => ana.call(clients.removeOrigin, { id: app.client_id, origin: ORIGIN })],
  ])('nobody is told anything when %s', async (_, change) => {
    expect((await change()).ok).toBe(true)
    for (const browser of [ana, house.visitor()]) {
      const answer = await popup({}, browser)
      expect(answer.statusCode).toBe(303)
      expect(answer.headers.location).toMatch(/^\/oauth\?error=invalid_request/)
      expect(answer.body).not.toContain('code')
    }
  })
})

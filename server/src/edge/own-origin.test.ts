import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from '../../test/house.ts'
import { newcomer } from '../../test/newcomer.ts'

const PAGES = 'https://accounts.example.com'

/** Pages on one host, the API on another of the same site: `VRATA_WEB_ORIGINS` says whose cookies may be used. */
let house: House
beforeAll(async () => {
  house = await openHouse({ VRATA_WEB_ORIGINS: PAGES })
})
afterAll(() => house.close())

const preflight = (origin: string) =>
  house.app.inject({
    method: 'OPTIONS',
    url: '/v1/account',
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
  })

test('a page of a listed origin may call with cookies', async () => {
  const asked = await preflight(PAGES)
  expect(asked.statusCode).toBe(204)
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': PAGES,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'content-type, developer-id',
    vary: 'Origin',
  })
  const ana = await newcomer(house)
  const headers = { origin: PAGES, 'content-type': 'application/json' }
  const answer = await ana.request({ method: 'PUT', url: '/v1/account', headers, payload: { first_name: 'Ana' } })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['access-control-allow-origin']).toBe(PAGES)
  expect(await ana.call(account.getAccount)).toMatchObject({ data: { first_name: 'Ana' } })
})

test.each(['https://evil.example', 'https://accounts.example.com.evil.example', 'http://accounts.example.com', 'null'])(
  'a page of %s may not',
  async (origin) => {
    expect((await preflight(origin)).headers['access-control-allow-origin']).toBeUndefined()
    const ana = await newcomer(house)
    const answer = await ana.request({ method: 'POST', url: '/v1/auth/logout', headers: { origin } })
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(await ana.call(auth.listSessions)).toMatchObject({ ok: true })
  },
)

test('what other sites may read, no page of theirs reads with our cookies', async () => {
  const answer = await house.app.inject({ url: '/v1/account', headers: { origin: 'https://evil.example' } })
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
})

import { account, auth, createApi, developers, problemsOf } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type House, openHouse } from '../../test/house.ts'
import { newcomer } from '../../test/newcomer.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const json = { 'content-type': 'application/json' }

describe('the fence', () => {
  test('a changing call from another site is refused, whatever cookies it borrowed', async () => {
    const ana = await newcomer(house)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:3000.evil.example' },
    ]) {
      const answer = await ana.request({
        method: 'PUT',
        url: '/v1/account',
        headers: { ...json, ...headers },
        payload: { first_name: 'Eve' },
      })
      expect([answer.statusCode, answer.json().error.code], headers.origin).toEqual([403, 'cross_site'])
    }
    const after = await ana.call(account.getAccount)
    expect(after.ok && after.data.first_name).toBe('')
  })

  test('every answer of the API forbids keeping it, and names its request', async () => {
    const visitor = house.visitor()
    for (const url of ['/v1/account', '/v1/nothing-here', '/v1/account/countries']) {
      const answer = await visitor.request({ method: 'GET', url })
      expect(answer.headers['cache-control'], url).toBe('no-store')
      expect(answer.headers['x-request-id'], url).toMatch(/^[\w-]{36}$/)
    }
  })

  test('an unknown path is 404, a wrong method 405 with those that there are', async () => {
    const visitor = house.visitor()
    const missing = await visitor.request({ method: 'GET', url: '/v1/nothing-here' })
    expect([missing.statusCode, missing.json().error.code]).toEqual([404, 'not_found'])
    const wrong = await visitor.request({ method: 'DELETE', url: '/v1/auth/login' })
    expect([wrong.statusCode, wrong.json().error.code, wrong.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'POST',
    ])
  })

  test('where there is nothing for a visitor outside of /v1, they hear it in the same words', async () => {
    const answer = await house.visitor().request({ method: 'GET', url: '/metrics' })
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { status: 'error', error: expect.objectContaining({ code: 'not_found' }) },
    ])
  })

  test.each([
    [
      'invalid_password',
      'Invalid password.',
      'PUT',
      '/v1/account/password',
      { current_password: 'x', new_password: 'long enough horse 7' },
    ],
    ['invalid_token', 'Link is not valid.', 'POST', '/v1/account/verify-email/never-was', undefined],
    [
      'password_too_short',
      'Password must be at least 12 characters long.',
      'POST',
      '/v1/auth/register',
      { email: 'bor@example.com', password: 'short' },
    ],
  ] as const)('%s is told in the sentence of the specification §8', async (code, message, method, url, payload) => {
    const ana = await newcomer(house)
    const answer = await ana.request({ method, url, ...(payload ? { headers: json, payload } : {}) })
    expect(answer.json().error).toMatchObject({ code, message })
  })

  test('a list that is answered whole says that there is no more, and gives parts to whoever asks for them', async () => {
    const visitor = house.visitor()
    const get = async (query = '') => {
      const answer = await visitor.request({ method: 'GET', url: `/v1/account/countries${query}` })
      return answer.json()
    }
    const whole = await get()
    expect([whole.data.length, whole.next_cursor]).toEqual([7, null])
    const parts = [await get('?limit=5'), await get('?limit=5&cursor=5')]
    expect(parts.flatMap((part) => part.data)).toEqual(whole.data)
    expect(parts.map((part) => part.next_cursor)).toEqual(['5', null])
    expect((await get('?cursor=5')).data).toEqual(whole.data.slice(5))
    for (const query of ['?limit=0', '?limit=101', '?limit=x']) {
      expect((await get(query)).error, query).toMatchObject({
        code: 'invalid_request',
        fields: { limit: expect.anything() },
      })
    }
  })

  test('a trailing slash is the same route', async () => {
    const ana = await newcomer(house)
    const answer = await ana.request({ method: 'GET', url: '/v1/account/' })
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    ['an unknown field', { username: 'ana', password: 'x', admin: true }, { admin: 'unknown' }],
    ['a missing field', { username: 'ana' }, { password: 'required' }],
    ['a wrong type', { username: 'ana', password: ['x'] }, { password: 'invalid' }],
  ])('%s is refused by its name', async (_, payload, fields) => {
    const answer = await house.visitor().request({ method: 'POST', url: '/v1/auth/login', headers: json, payload })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'invalid_request', fields })
  })

  test('a NUL goes no further, a written \\u0000 does', async () => {
    const visitor = house.visitor()
    const nul = await visitor.call(auth.login, { username: 'a\0na', password: 'x' })
    expect(nul).toMatchObject({ ok: false, problem: { code: 'invalid_request' } })
    const written = await visitor.call(auth.login, { username: 'a\\u0000na', password: 'x' })
    expect(written).toMatchObject({ ok: false, problem: { code: 'invalid_credentials' } })
  })

  test('what is not JSON, is broken or too large gets its own status', async () => {
    const visitor = house.visitor()
    const send = (payload: string, type: string) =>
      visitor.request({ method: 'POST', url: '/v1/auth/login', headers: { 'content-type': type }, payload })
    expect((await send('<a/>', 'text/xml')).statusCode).toBe(415)
    expect((await send('{', 'application/json')).statusCode).toBe(400)
    const large = await send(JSON.stringify({ username: 'a'.repeat(70_000), password: 'x' }), 'application/json')
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'payload_too_large'])
  })

  test('a body that is nested without end is refused like any other', async () => {
    const payload = `{"username":${'['.repeat(30_000)}${']'.repeat(30_000)},"password":"x"}`
    const answer = await house.visitor().request({ method: 'POST', url: '/v1/auth/login', headers: json, payload })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request'])
  })

  test('a prototype does not get in through a body', async () => {
    const payload = '{"username":"ana","password":"x","__proto__":{"admin":true}}'
    const answer = await house.visitor().request({ method: 'POST', url: '/v1/auth/login', headers: json, payload })
    expect(answer.statusCode).toBe(400)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('every call that needs a session answers 401 to nobody', async () => {
    const refused: string[] = []
    for (const [name, route] of ROUTES) {
      if (!problemsOf(route).includes('unauthenticated') || route.needs === 'nobody') continue
      const url = `/v1${route.path.replace(/:[a-z_]+/g, 'x')}`
      const answer = await house.visitor().request({ method: route.method as 'GET', url, headers: json, payload: '{}' })
      if (answer.statusCode !== 401) refused.push(`${name}: ${answer.statusCode}`)
    }
    expect(refused).toEqual([])
  })

  test('a session cookie alone opens nothing but refresh', async () => {
    const ana = await newcomer(house)
    ana.cookies.delete('vrata_access')
    expect((await ana.call(account.getAccount)).http).toBe(401)
    expect((await ana.call(auth.refresh, {})).ok).toBe(true)
    expect((await ana.call(account.getAccount)).ok).toBe(true)
  })

  test('one address may not ask without end', async () => {
    const visitor = house.visitor({ ip: '127.9.9.9' })
    let last = await visitor.call(auth.logout)
    for (let asked = 0; last.ok && asked < 200; asked += 1) last = await visitor.call(auth.logout)
    expect(last).toMatchObject({ ok: false, problem: { code: 'too_many_requests' } })
    expect(last.ok === false && last.retry_after).toBeGreaterThan(0)
    expect((await house.visitor().call(auth.logout)).ok).toBe(true)
  })

  test('no log line holds a password, a cookie or a token', async () => {
    const ana = await newcomer(house)
    const [mail] = (await house.outbox()).filter(({ to }) => to === ana.email)
    const token = mail?.link.split('/').at(-1) ?? ''
    await ana.call(account.verifyEmail, { token })
    await ana.call(auth.login, { username: ana.email, password: 'wrong-but-secret-all-the-same' })
    const lines = house.logged()
    expect(lines).toContain('"route":"/v1/account/verify-email/:token"')
    for (const secret of [token, ana.password, 'wrong-but-secret', ...ana.cookies.values()]) {
      expect(lines.includes(secret)).toBe(false)
    }
  })
})

describe('a call that names its organisation (decision 0104)', () => {
  test('acts in that one, whatever the session shows in another tab', async () => {
    const ana = await house.as(people.ana)
    const first = await openOrganisation(house, ana, 'Prva')
    await openOrganisation(house, ana, 'Druga')
    const named = naming(ana, first.developer_id)
    expect(await named(developers.getDeveloper)).toMatchObject({ data: { name: 'Prva' } })
    expect(await named(developers.updateDeveloper, { company: 'Kras' })).toMatchObject({ data: { name: 'Prva' } })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: { name: 'Druga', company: null } })
  })

  test('has there the level that the person has there', async () => {
    const ana = await house.as(people.ana)
    const bor = await house.as(people.bor)
    const hers = await openOrganisation(house, ana, 'Njena')
    await hers.join(bor, 'member')
    await openOrganisation(house, bor, 'Njegova')
    const refused = await naming(bor, hers.developer_id)(developers.updateDeveloper, { company: 'Kras' })
    expect(refused).toMatchObject({ http: 403, problem: { code: 'insufficient_level' } })
  })

  test.each(['nobodys', '', 'a b', 'x'.repeat(65)])('is refused for a stranger to it: "%s"', async (wrong) => {
    const drago = await house.as(people.drago)
    await openOrganisation(house, drago, 'Njegova')
    const refused = await naming(drago, wrong)(developers.getDeveloper)
    expect(refused).toMatchObject({ http: 400, problem: { code: 'no_developer' } })
  })
})

/** The API as a tab calls it that shows this organisation. */
function naming(person: Caller, developer_id: string) {
  return createApi(async ({ method, url, body }) => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const headers = { ...(body === undefined ? {} : json), 'developer-id': developer_id }
    const answer = await person.request({ method: method as 'GET', url, headers, ...payload })
    return { status: answer.statusCode, json: answer.json() }
  })
}

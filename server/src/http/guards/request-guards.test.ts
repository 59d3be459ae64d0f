import { account, createApi, developers, problemsOf, security, sessions, signIn } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenIn } from '../../../../testing/mail.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { registerUser } from '../../../test/registered-user.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }

describe('the guards', () => {
  test('a state-changing call from another site is rejected, with cookies, too', async () => {
    const ana = await registerUser(server)
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

  test('every response of the API has no-store and a request id', async () => {
    const visitor = server.browser()
    for (const url of ['/v1/account', '/v1/nothing-here', '/v1/account/countries']) {
      const answer = await visitor.request({ method: 'GET', url })
      expect(answer.headers['cache-control'], url).toBe('no-store')
      expect(answer.headers['x-request-id'], url).toMatch(/^[\w-]{36}$/)
    }
  })

  test('an unknown path is 404, a wrong method 405 with the allowed ones', async () => {
    const visitor = server.browser()
    const missing = await visitor.request({ method: 'GET', url: '/v1/nothing-here' })
    expect([missing.statusCode, missing.json().error.code]).toEqual([404, 'not_found'])
    const wrong = await visitor.request({ method: 'DELETE', url: '/v1/auth/login' })
    expect([wrong.statusCode, wrong.json().error.code, wrong.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'POST',
    ])
    const literal = await visitor.request({ method: 'OPTIONS', url: '/v1/account/passkeys/options' })
    expect([literal.statusCode, literal.headers.allow], 'also matches /account/passkeys/{id}').toEqual([405, 'POST'])
    const unparsed = await visitor.request({ method: 'QUERY' as 'GET', url: '/v1/auth/login', payload: 'x' })
    expect([unparsed.statusCode, unparsed.headers.allow], 'a body that is not parsed').toEqual([405, 'POST'])
  })

  test('an unknown path outside of /v1 has the same error body', async () => {
    const answer = await server.browser().request({ method: 'GET', url: '/metrics' })
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
  ] as const)('%s has the message of the specification (product §8.3)', async (code, message, method, url, payload) => {
    const ana = await registerUser(server)
    const answer = await ana.request({ method, url, ...(payload ? { headers: json, payload } : {}) })
    expect(answer.json().error).toMatchObject({ code, message })
  })

  test('a list without pages has a null cursor, and is paged when the query asks for it', async () => {
    const visitor = server.browser()
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
    for (const [limit, code] of Object.entries({ 0: 'too_small', 101: 'too_big', x: 'invalid' })) {
      expect((await get(`?limit=${limit}`)).error).toMatchObject({ code: 'invalid_request', fields: { limit: code } })
    }
  })

  test('a trailing slash is the same route', async () => {
    const ana = await registerUser(server)
    const answer = await ana.request({ method: 'GET', url: '/v1/account/' })
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    ['an unknown field', { username: 'ana', password: 'x', admin: true }, { admin: 'unknown' }],
    ['a missing field', { username: 'ana' }, { password: 'required' }],
    ['a wrong type', { username: 'ana', password: ['x'] }, { password: 'invalid' }],
  ])('rejects %s with its field', async (_, payload, fields) => {
    const answer = await server.browser().request({ method: 'POST', url: '/v1/auth/login', headers: json, payload })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'invalid_request', fields })
  })

  test('a NUL character is rejected, the text \\u0000 is accepted', async () => {
    const visitor = server.browser()
    const nul = await visitor.call(signIn.login, { username: 'a\0na', password: 'x' })
    expect(nul).toMatchObject({ ok: false, problem: { code: 'invalid_request', fields: { username: 'invalid' } } })
    const cursor = await visitor.request({ method: 'GET', url: '/v1/account/countries?cursor=%00' })
    expect(cursor.json().error.fields).toEqual({ cursor: 'invalid' })
    const written = await visitor.call(signIn.login, { username: 'a\\u0000na', password: 'x' })
    expect(written).toMatchObject({ ok: false, problem: { code: 'invalid_credentials' } })
  })

  test('an unpaired surrogate is rejected, a pair is accepted', async () => {
    const visitor = server.browser()
    for (const username of ['a\ud83dna', 'a\ude00na', '\ude00\ud83d'])
      expect(await visitor.call(signIn.login, { username, password: 'x' })).toMatchObject({
        http: 400,
        problem: { code: 'invalid_request', fields: { username: 'invalid' } },
      })
    const pair = await visitor.call(signIn.login, { username: 'a\ud83d\ude00na', password: 'x' })
    expect(pair).toMatchObject({ ok: false, problem: { code: 'invalid_credentials' } })
  })

  test('a body that is not JSON, malformed or too large has its own status', async () => {
    const visitor = server.browser()
    const send = (payload: string, type: string) =>
      visitor.request({ method: 'POST', url: '/v1/auth/login', headers: { 'content-type': type }, payload })
    expect((await send('<a/>', 'text/xml')).statusCode).toBe(415)
    expect((await send('{"username":"ana","password":"x"}', 'text/plain')).statusCode).toBe(415)
    expect((await send('{', 'application/json')).statusCode).toBe(400)
    const large = await send(JSON.stringify({ username: 'a'.repeat(70_000), password: 'x' }), 'application/json')
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'payload_too_large'])
  })

  test('a deeply nested body is rejected', async () => {
    const payload = `{"username":${'['.repeat(30_000)}${']'.repeat(30_000)},"password":"x"}`
    const answer = await server.browser().request({ method: 'POST', url: '/v1/auth/login', headers: json, payload })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request'])
  })

  test('a body cannot set a prototype', async () => {
    const payload = '{"username":"ana","password":"x","__proto__":{"admin":true}}'
    const answer = await server.browser().request({ method: 'POST', url: '/v1/auth/login', headers: json, payload })
    expect(answer.statusCode).toBe(400)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('every call that needs a session answers 401 without one', async () => {
    const rejected: string[] = []
    for (const [name, route] of ROUTES) {
      if (!problemsOf(route).includes('unauthenticated') || route.needs === 'nobody') continue
      const url = `/v1${route.path.replace(/:[a-z_]+/g, 'x')}`
      const answer = await server
        .browser()
        .request({ method: route.method as 'GET', url, headers: json, payload: '{}' })
      if (answer.statusCode !== 401) rejected.push(`${name}: ${answer.statusCode}`)
    }
    expect(rejected).toEqual([])
  })

  test('a session cookie alone is accepted by refresh only', async () => {
    const ana = await registerUser(server)
    ana.cookies.delete('vrata_access')
    expect((await ana.call(account.getAccount)).http).toBe(401)
    expect((await ana.call(sessions.refresh, {})).ok).toBe(true)
    expect((await ana.call(account.getAccount)).ok).toBe(true)
  })

  test('calls of one address are limited', async () => {
    const visitor = server.browser({ ip: '127.9.9.9' })
    let last = await visitor.call(sessions.logout)
    for (let asked = 0; last.ok && asked < 300; asked += 1) last = await visitor.call(sessions.logout)
    expect(last).toMatchObject({ ok: false, problem: { code: 'too_many_requests' } })
    expect(last.ok === false && last.retry_after).toBeGreaterThan(0)
    expect((await server.browser().call(sessions.logout)).ok).toBe(true)
  })

  test('no log line contains a password, a cookie or a token', async () => {
    const ana = await registerUser(server)
    const [mail] = (await server.outbox()).filter(({ to }) => to === ana.email)
    const token = tokenIn(mail?.link ?? '')
    await ana.call(security.verifyEmail, { token })
    await ana.call(signIn.login, { username: ana.email, password: 'wrong-but-secret-all-the-same' })
    const lines = server.logged()
    expect(lines).toContain('"route":"/v1/account/verify-email/:token"')
    for (const secret of [token, ana.password, 'wrong-but-secret', ...ana.cookies.values()]) {
      expect(lines.includes(secret)).toBe(false)
    }
  })

  test('log lines name the user, the methods of a sign-in, and the problem (security §16.3.1)', async () => {
    const ana = await registerUser(server)
    const own = await ana.call(account.getAccount)
    const user_id = own.ok && own.data.id
    const before = server.logged().length
    await ana.call(signIn.login, { username: ana.email, password: 'not the password' })
    await ana.call(signIn.login, { username: 'nobody@example.com', password: 'not the password' })
    await ana.call(signIn.login, { username: ana.email, password: ana.password })
    await ana.call(sessions.reauthenticate, { password: ana.password })
    await ana.call(developers.deleteDeveloper, { name: 'Nothing' })
    const lines = server.logged().slice(before).trim().split('\n')
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const named = (msg: string) => logged.filter((line) => line.msg === msg)
    expect(named('sign-in rejected')).toMatchObject([{ user_id }, { user_id: null }])
    expect(named('signed in')).toMatchObject([{ user_id, methods: ['pwd'], reqId: expect.any(String) }])
    expect(named('reauthenticated')).toMatchObject([{ user_id, method: 'pwd' }])
    expect(named('answered')).toMatchObject([
      { status: 400, problem: 'invalid_credentials' },
      { status: 400, problem: 'invalid_credentials' },
      { status: 200 },
      {},
      { status: 400, problem: 'no_developer', user_id, ip: expect.any(String), time: expect.stringMatching(/Z$/) },
    ])
  })
})

describe('a call with the developer header (decision 0005)', () => {
  test('acts in that developer account, not in the current one of the session', async () => {
    const ana = await server.as(people.ana)
    const first = await createOrganization(server, ana, 'Prva')
    await createOrganization(server, ana, 'Druga')
    const named = naming(ana, first.developer_id)
    expect(await named(developers.getDeveloper)).toMatchObject({ data: { name: 'Prva' } })
    expect(await named(developers.updateDeveloper, { company: 'Kras' })).toMatchObject({ data: { name: 'Prva' } })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: { name: 'Druga', company: null } })
  })

  test('uses the level of the user in that developer account', async () => {
    const ana = await server.as(people.ana)
    const bor = await server.as(people.bor)
    const organization = await createOrganization(server, ana, 'Njena')
    await organization.join(bor, 'member')
    await createOrganization(server, bor, 'Njegova')
    const rejected = await naming(bor, organization.developer_id)(developers.updateDeveloper, { company: 'Kras' })
    expect(rejected).toMatchObject({ http: 403, problem: { code: 'insufficient_level' } })
  })

  test.each(['nobodys', '', 'a b', 'x'.repeat(65)])(
    'is rejected for a user who is not a member: "%s"',
    async (wrong) => {
      const drago = await server.as(people.drago)
      await createOrganization(server, drago, 'Njegova')
      const rejected = await naming(drago, wrong)(developers.getDeveloper)
      expect(rejected).toMatchObject({ http: 400, problem: { code: 'no_developer' } })
    },
  )
})

/** The API as called by a tab that shows this developer account. */
function naming(person: Caller, developer_id: string) {
  return createApi(async ({ method, url, body }) => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const headers = { ...(body === undefined ? {} : json), 'developer-id': developer_id }
    const answer = await person.request({ method: method as 'GET', url, headers, ...payload })
    return { status: answer.statusCode, json: answer.json() }
  })
}

import { clients, LIMITS, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization, switchTo } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server?.close())

/** Creates a client without redirect URIs. */
async function newApp(type: clients.ClientType = 'web'): Promise<string> {
  return (await organization.app({ type, redirect_uri: undefined })).client_id
}

const urisOf = async (id: string) => {
  const answer = await ana.call(clients.listRedirectUris, { id })
  return answer.ok ? answer.data : answer.problem
}
const originsOf = async (id: string) => {
  const answer = await ana.call(clients.listOrigins, { id })
  return answer.ok ? answer.data : answer.problem
}

describe('redirect URIs', () => {
  test('are stored exactly as given, oldest first', async () => {
    const id = await newApp()
    const uris = ['https://z.example/cb', 'https://a.example', 'http://localhost:4000/cb?x=1']
    for (const redirect_uri of uris) {
      expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({ ok: true })
      server.clock.advance(1)
    }
    expect(await urisOf(id)).toEqual(uris)
  })

  test('are unique', async () => {
    const id = await newApp()
    const redirect_uri = 'https://jadrolet.example/cb'
    await ana.call(clients.addRedirectUri, { id, redirect_uri })
    expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({
      http: 409,
      problem: { code: 'redirect_uri_taken', fields: { redirect_uri: 'taken' } },
    })
    expect(await urisOf(id)).toEqual([redirect_uri])
    const other = await newApp()
    expect(await ana.call(clients.addRedirectUri, { id: other, redirect_uri })).toMatchObject({ ok: true })
  })

  test('are added once by fifty concurrent requests', async () => {
    const id = await newApp()
    const add = () => ana.call(clients.addRedirectUri, { id, redirect_uri: 'https://jadrolet.example/cb' })
    const answers = await Promise.all(Array.from({ length: 50 }, add))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(new Set(answers.map(({ http }) => http))).toEqual(new Set([200, 409]))
    expect(await urisOf(id)).toEqual(['https://jadrolet.example/cb'])
  })

  test(`are at most ${LIMITS.uris_per_client}, also with concurrent requests`, async () => {
    const id = await newApp()
    const add = (_: unknown, n: number) =>
      ana.call(clients.addRedirectUri, { id, redirect_uri: `https://a.example/${n}` })
    const answers = await Promise.all(Array.from({ length: 55 }, add))
    const rejected = answers.filter(({ ok }) => !ok)
    expect(rejected).toHaveLength(5)
    expect(rejected[0]).toMatchObject({ http: 400, problem: { code: 'too_many_uris', params: { max: 50 } } })
    expect(await urisOf(id)).toHaveLength(50)
  })

  test('may have a private-use scheme for native clients only', async () => {
    const redirect_uri = 'com.example.jadrolet:/callback'
    for (const type of ['web', 'spa', 'service'] as const) {
      const id = await newApp(type)
      expect(await ana.call(clients.addRedirectUri, { id, redirect_uri }), type).toMatchObject({
        http: 400,
        problem: { code: 'invalid_request', fields: { redirect_uri: 'private_scheme' } },
      })
      expect(await urisOf(id)).toEqual([])
    }
    const id = await newApp('native')
    expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({ ok: true })
    expect(await urisOf(id)).toEqual([redirect_uri])
  })

  test.each([
    ['', 'required'],
    [`https://a.example/${'x'.repeat(2000)}`, 'too_long'],
    ['https://a.example/#x', 'no_fragment'],
    ['https://*.example/', 'no_wildcard'],
    ['http://a.example/', 'https_required'],
    ['javascript:alert(1)', 'private_scheme'],
    [7, 'invalid'],
    [null, 'invalid'],
  ])('reject %j', async (redirect_uri, code) => {
    const id = await newApp('native')
    const rejected = await ana.call(clients.addRedirectUri, { id, redirect_uri: redirect_uri as string })
    expect(rejected).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields: { redirect_uri: code } } })
    expect(await urisOf(id)).toEqual([])
  })

  test('are removed by their exact value; others are not found', async () => {
    const id = await newApp()
    for (const redirect_uri of ['https://a.example/1', 'https://a.example/2']) {
      await ana.call(clients.addRedirectUri, { id, redirect_uri })
    }
    const remove = (redirect_uri: string) => ana.call(clients.removeRedirectUri, { id, redirect_uri })
    expect(await remove('https://a.example/1')).toMatchObject({ data: ['https://a.example/2'] })
    for (const absent of ['https://a.example/1', 'https://a.example/2/', 'https://A.example/2', '', '%']) {
      expect(await remove(absent), absent).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    }
    expect(await remove('a\u0000b')).toMatchObject({ http: 400 })
    expect(await urisOf(id)).toEqual(['https://a.example/2'])
  })
})

describe('origins', () => {
  test('are scheme, host and port; a trailing slash is removed', async () => {
    const id = await newApp()
    expect(await ana.call(clients.addOrigin, { id, origin: 'https://a.example/' })).toMatchObject({
      data: ['https://a.example'],
    })
    expect(await ana.call(clients.addOrigin, { id, origin: 'https://a.example' })).toMatchObject({
      http: 409,
      problem: { code: 'origin_taken', fields: { origin: 'taken' } },
    })
    expect(await ana.call(clients.addOrigin, { id, origin: 'https://a.example/app' })).toMatchObject({
      http: 400,
      problem: { fields: { origin: 'no_path' } },
    })
    expect(await originsOf(id)).toEqual(['https://a.example'])
  })

  test(`are unique and at most ${LIMITS.uris_per_client}, also with concurrent requests`, async () => {
    const id = await newApp()
    const add = (n: number) => ana.call(clients.addOrigin, { id, origin: `https://a${n}.example` })
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => add(n % 55)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(50)
    expect(await add(99)).toMatchObject({ http: 400, problem: { code: 'too_many_uris' } })
    expect(await originsOf(id)).toHaveLength(50)
  })

  test('are removed by their exact value; others are not found', async () => {
    const id = await newApp()
    await ana.call(clients.addOrigin, { id, origin: 'https://a.example' })
    expect(await ana.call(clients.removeOrigin, { id, origin: 'https://b.example' })).toMatchObject({ http: 404 })
    expect(await ana.call(clients.removeOrigin, { id, origin: 'https://a.example' })).toMatchObject({
      data: [],
    })
  })
})

test.each([
  ['redirect-uris', 'redirect_uri', ['https://a.example/1', 'https://a.example/2']],
  ['origins', 'origin', ['https://a.example', 'https://b.example']],
])('%s are answered as a list by GET, POST and DELETE (api §6.5)', async (path, field, [first = '', second = '']) => {
  const url = `/v1/client/${await newApp()}/${path}`
  const list = async (options: { method: 'GET' | 'POST' | 'DELETE'; url: string; payload?: Record<string, string> }) =>
    (await ana.request(options)).json()
  const add = (value: string, query = '') => list({ method: 'POST', url: url + query, payload: { [field]: value } })
  expect(await add(first)).toEqual({ status: 'success', data: [first], next_cursor: null })
  server.clock.advance(1)
  // Paging is for reading: a change that was committed is always answered with the whole list.
  expect(await add(second, '?limit=x')).toEqual({ status: 'success', data: [first, second], next_cursor: null })
  const get = (query: string) => list({ method: 'GET', url: url + query })
  expect(await get('')).toEqual({ status: 'success', data: [first, second], next_cursor: null })
  expect(await get('?limit=1')).toEqual({ status: 'success', data: [first], next_cursor: '1' })
  expect(await get('?limit=1&cursor=1')).toEqual({ status: 'success', data: [second], next_cursor: null })
  for (const no of ['', '1e0', '-1', ' 1']) {
    const query = new URLSearchParams({ cursor: no })
    expect(await get(`?${query}`), query.toString()).toMatchObject({
      error: { fields: { cursor: expect.any(String) } },
    })
  }
  const removed = await list({ method: 'DELETE', url: `${url}?${new URLSearchParams({ [field]: first })}` })
  expect(removed).toEqual({ status: 'success', data: [second], next_cursor: null })
})

describe('a redirect URI of an app without a secret requires a fresh sign-in (security §7.5.3)', () => {
  const redirect_uri = 'https://jadrolet.example/later'
  const add = (id: string) => ana.call(clients.addRedirectUri, { id, redirect_uri })

  /** Lets the fresh sign-in expire. */
  async function later() {
    server.clock.advance(601)
    await switchTo(ana, organization.developer_id)
  }

  test.each(['spa', 'native'] as const)('of the type %s', async (type) => {
    const id = await newApp(type)
    await later()
    expect(await add(id)).toMatchObject({ http: 403, problem: { code: 'reauthentication_required' } })
    expect(await urisOf(id)).toEqual([])
    expect(await ana.call(sessions.reauthenticate, { password: people.ana.password })).toMatchObject({ ok: true })
    expect(await add(id)).toMatchObject({ ok: true })
  })

  test('not where the app authenticates, nor for removing one, nor for an origin', async () => {
    const [web, spa] = [await newApp('web'), await newApp('spa')]
    await add(spa)
    await later()
    expect(await add(web)).toMatchObject({ ok: true })
    expect(await ana.call(clients.removeRedirectUri, { id: spa, redirect_uri })).toMatchObject({ ok: true })
    // An origin receives messages only for a redirect URI of its own, and reads only tokens of codes that it has.
    const origin = 'https://jadrolet.example'
    expect(await ana.call(clients.addOrigin, { id: spa, origin })).toMatchObject({ ok: true })
  })
})

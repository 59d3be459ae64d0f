import { account, clients, sessions } from '@vrata/contract'
import { describe, expect, test, vi } from 'vitest'
import { createPageApi } from './page-api.ts'

type Reply = [status: number, body: unknown]
const ok = (data: unknown): Reply => [200, { status: 'success', data }]
const failed = (status: number, code: string): Reply => [status, { status: 'error', error: { code, message: code } }]

/** A server that returns the replies of each `METHOD path` in their order; the last one repeats. */
function server(replies: Record<string, Reply[] | 'no answer'>) {
  const asked: { call: string; init: RequestInit | undefined }[] = []
  const fetch = vi.fn(async (url: string, init?: RequestInit) => {
    const call = `${init?.method} ${url}`
    asked.push({ call, init })
    const queue = replies[call]
    if (!queue || queue === 'no answer') throw new TypeError('Failed to fetch')
    const [status, body] = (queue.length > 1 ? queue.shift() : queue[0]) as Reply
    return new Response(JSON.stringify(body), { status })
  }) as unknown as typeof globalThis.fetch
  return { fetch, asked, calls: () => asked.map(({ call }) => call) }
}

describe('a 401 triggers one shared refresh (product §8.2)', () => {
  test('and retries all concurrent calls', async () => {
    const { fetch, calls } = server({
      'GET /v1/account': [failed(401, 'unauthenticated'), ok({ id: 'ana' })],
      'GET /v1/client': [failed(401, 'unauthenticated'), ok([])],
      'PUT /v1/auth/refresh': [ok({ id: 'ana' })],
    })
    const onRefreshed = vi.fn()
    const api = createPageApi({ base: '', fetch, onRefreshed })
    const [person, apps] = await Promise.all([api(account.getAccount), api(clients.listClients)])
    expect(person).toMatchObject({ ok: true, data: { id: 'ana' } })
    expect(apps).toMatchObject({ ok: true, data: [] })
    expect(calls().filter((call) => call.includes('refresh'))).toHaveLength(1)
    expect(onRefreshed).toHaveBeenCalledExactlyOnceWith({ id: 'ana' })
  })

  test('and calls wait for one that was made itself, whose late answer would replace their cookies', async () => {
    const answered = Promise.withResolvers<void>()
    const { fetch, calls } = server({
      'GET /v1/account': [failed(401, 'unauthenticated'), ok({ id: 'ana' })],
      'PUT /v1/auth/refresh': [ok({ id: 'ana' })],
    })
    const slow: typeof fetch = async (url, init) => {
      if (String(url).endsWith('/refresh')) await answered.promise
      return await fetch(url, init)
    }
    const api = createPageApi({ base: '', fetch: slow })
    const [refreshed, person] = [api(sessions.refresh), api(account.getAccount)]
    await vi.waitFor(() => expect(calls()).toEqual(['GET /v1/account']), { timeout: 20_000 })
    answered.resolve()
    expect([await refreshed, await person]).toMatchObject([{ ok: true }, { ok: true }])
    expect(calls()).toEqual(['GET /v1/account', 'PUT /v1/auth/refresh', 'GET /v1/account'])
  })

  test('and asks again, because a new cookie of another tab may arrive meanwhile', async () => {
    const { fetch } = server({
      'GET /v1/account': [failed(401, 'unauthenticated'), ok({ id: 'ana' })],
      'PUT /v1/auth/refresh': [failed(401, 'unauthenticated'), ok({ id: 'ana' })],
    })
    const onEnded = vi.fn()
    const answer = await createPageApi({ base: '', fetch, onEnded })(account.getAccount)
    expect(answer).toMatchObject({ ok: true, data: { id: 'ana' } })
    expect(onEnded).not.toHaveBeenCalled()
  })

  test('ends the session when the refresh is rejected twice', async () => {
    const { fetch } = server({
      'GET /v1/account': [failed(401, 'unauthenticated')],
      'PUT /v1/auth/refresh': [failed(401, 'unauthenticated')],
    })
    const onEnded = vi.fn()
    const answer = await createPageApi({ base: '', fetch, onEnded })(account.getAccount)
    expect(answer).toMatchObject({ ok: false, http: 401, problem: { code: 'unauthenticated' } })
    expect(onEnded).toHaveBeenCalledOnce()
  })

  test('does not end the session of a person who has signed in meanwhile', async () => {
    const { fetch } = server({
      'GET /v1/account': [failed(401, 'unauthenticated')],
      'PUT /v1/auth/refresh': [failed(401, 'unauthenticated')],
    })
    let shown: string | undefined = 'of Ana'
    const onEnded = vi.fn()
    const answer = createPageApi({ base: '', fetch, onEnded, session: () => shown })(account.getAccount)
    // Ana signs out, and Bor signs in before the answers to her calls arrive.
    shown = 'of Bor'
    expect(await answer).toMatchObject({ http: 401 })
    expect(onEnded).not.toHaveBeenCalled()
  })

  test.each([
    ['is unavailable', [failed(503, 'unavailable')], 503],
    ['cannot be reached', 'no answer', 0],
  ] as const)('keeps the session when the server %s, and says this', async (_, refresh, http) => {
    const { fetch } = server({
      'GET /v1/account': [failed(401, 'unauthenticated')],
      'PUT /v1/auth/refresh': refresh === 'no answer' ? refresh : [...refresh],
    })
    const onEnded = vi.fn()
    const answer = await createPageApi({ base: '', fetch, onEnded })(account.getAccount)
    // Not that the session has ended: pages ask again, and go on when the server answers.
    expect(answer).toMatchObject({ ok: false, http, problem: { code: 'unavailable' } })
    expect(onEnded).not.toHaveBeenCalled()
  })

  test('does not refresh a rejected refresh', async () => {
    const { fetch, calls } = server({ 'PUT /v1/auth/refresh': [failed(401, 'unauthenticated')] })
    await createPageApi({ base: '', fetch })(sessions.refresh, { developer_id: 'jadro' })
    expect(calls()).toEqual(['PUT /v1/auth/refresh'])
  })
})

test('returns unavailable without a response', async () => {
  const { fetch } = server({ 'GET /v1/account': 'no answer' })
  expect(await createPageApi({ base: '', fetch })(account.getAccount)).toMatchObject({
    ok: false,
    http: 0,
    problem: { code: 'unavailable' },
  })
})

test('retries a call after reauthentication', async () => {
  const regenerate = 'PUT /v1/client/app/secret/regenerate'
  const { fetch, calls } = server({
    [regenerate]: [failed(403, 'reauthentication_required'), ok({ client_secret: 's' })],
  })
  const answer = await createPageApi({ base: '', fetch, reauthenticate: async () => true })(clients.regenerateSecret, {
    id: 'app',
  })
  expect(answer).toMatchObject({ ok: true })
  expect(calls()).toEqual([regenerate, regenerate])
})

test('asks for reauthentication, too, when the session had to be renewed first', async () => {
  const regenerate = 'PUT /v1/client/app/secret/regenerate'
  const { fetch, calls } = server({
    [regenerate]: [
      failed(401, 'unauthenticated'),
      failed(403, 'reauthentication_required'),
      ok({ client_secret: 's' }),
    ],
    'PUT /v1/auth/refresh': [ok({ id: 'ana' })],
  })
  const answer = await createPageApi({ base: '', fetch, reauthenticate: async () => true })(clients.regenerateSecret, {
    id: 'app',
  })
  expect(answer).toMatchObject({ ok: true, data: { client_secret: 's' } })
  expect(calls()).toEqual([regenerate, 'PUT /v1/auth/refresh', regenerate, regenerate])
})

test('returns unavailable when the code of reauthentication cannot be loaded', async () => {
  const { fetch } = server({ 'DELETE /v1/client/app': [failed(403, 'reauthentication_required')] })
  const reauthenticate = async () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  const api = createPageApi({ base: '', fetch, reauthenticate })
  expect(await api(clients.deleteClient, { id: 'app' })).toMatchObject({ ok: false, http: 0 })
})

test('loads what explains a conflict also when the call was sent again', async () => {
  const { fetch } = server({
    'DELETE /v1/client/app': [failed(403, 'reauthentication_required'), failed(409, 'limit_reached')],
  })
  const onRefused = vi.fn(async () => {})
  const api = createPageApi({ base: '', fetch, onRefused, reauthenticate: async () => true })
  expect(await api(clients.deleteClient, { id: 'app' })).toMatchObject({ http: 409 })
  expect(onRefused).toHaveBeenCalledOnce()
})

test('does not send a call again with the session of another person', async () => {
  const { fetch, calls } = server({
    'PUT /v1/account': [failed(401, 'unauthenticated'), ok({ id: 'bor' })],
    'PUT /v1/auth/refresh': [ok({ id: 'bor' })],
  })
  const onEnded = vi.fn()
  const api = createPageApi({ base: '', fetch, onEnded, onRefreshed: ({ id }) => id === 'ana' })
  expect(await api(account.updateAccount, { first_name: 'Ana' })).toMatchObject({ ok: false, http: 401 })
  expect(calls()).toEqual(['PUT /v1/account', 'PUT /v1/auth/refresh'])
  expect(onEnded).not.toHaveBeenCalled()
})

test('sends cookies to another API origin', async () => {
  const { fetch, asked } = server({ 'GET https://api.example.com/v1/account': [ok({})] })
  await createPageApi({ base: 'https://api.example.com', fetch })(account.getAccount)
  expect(asked[0]?.init?.credentials).toBe('include')
})

test('a change without an answer ends after half a minute as one that the network has lost; reads and files take their time', async () => {
  const late = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  const silent: typeof fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const api = createPageApi({ base: '', fetch: silent })
  void api(account.getAccount)
  expect(timeout).not.toHaveBeenCalled()
  const removed = api(clients.deleteClient, { id: 'an-app' })
  await vi.waitFor(() => expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000))
  late.abort()
  expect(await removed).toMatchObject({ ok: false, http: 0 })
  timeout.mockRestore()
})

import { account, auth, clients } from '@vrata/contract'
import { describe, expect, test, vi } from 'vitest'
import { openApi } from './api.ts'

type Reply = [status: number, body: unknown]
const ok = (data: unknown): Reply => [200, { status: 'success', data }]
const failed = (status: number, code: string): Reply => [status, { status: 'error', error: { code, message: code } }]

/** A server that answers each `METHOD path` with its replies in turn; the last one stays. */
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

describe('§4 a 401 triggers one shared refresh', () => {
  test('… for many calls at once, and each is tried again', async () => {
    const { fetch, calls } = server({
      'GET /v1/account': [failed(401, 'unauthenticated'), ok({ id: 'ana' })],
      'GET /v1/client': [failed(401, 'unauthenticated'), ok([])],
      'PUT /v1/auth/refresh': [ok({ id: 'ana' })],
    })
    const onRefreshed = vi.fn()
    const api = openApi({ base: '', fetch, onRefreshed })
    const [person, apps] = await Promise.all([api(account.getAccount), api(clients.listClients)])
    expect(person).toMatchObject({ ok: true, data: { id: 'ana' } })
    expect(apps).toMatchObject({ ok: true, data: [] })
    expect(calls().filter((call) => call.includes('refresh'))).toHaveLength(1)
    expect(onRefreshed).toHaveBeenCalledExactlyOnceWith({ id: 'ana' })
  })

  test('… which ends the session when it is refused, and answers with the first 401', async () => {
    const { fetch } = server({
      'GET /v1/account': [failed(401, 'unauthenticated')],
      'PUT /v1/auth/refresh': [failed(401, 'unauthenticated')],
    })
    const onEnded = vi.fn()
    const answer = await openApi({ base: '', fetch, onEnded })(account.getAccount)
    expect(answer).toMatchObject({ ok: false, http: 401, problem: { code: 'unauthenticated' } })
    expect(onEnded).toHaveBeenCalledOnce()
  })

  test('… which ends nothing while the server is away', async () => {
    const { fetch } = server({
      'GET /v1/account': [failed(401, 'unauthenticated')],
      'PUT /v1/auth/refresh': [failed(503, 'unavailable')],
    })
    const onEnded = vi.fn()
    await openApi({ base: '', fetch, onEnded })(account.getAccount)
    expect(onEnded).not.toHaveBeenCalled()
  })

  test('… but a refresh that is refused is not refreshed', async () => {
    const { fetch, calls } = server({ 'PUT /v1/auth/refresh': [failed(401, 'unauthenticated')] })
    await openApi({ base: '', fetch })(auth.refresh, { developer_id: 'jadro' })
    expect(calls()).toEqual(['PUT /v1/auth/refresh'])
  })
})

test('no answer is an answer: unavailable, with no status', async () => {
  const { fetch } = server({ 'GET /v1/account': 'no answer' })
  expect(await openApi({ base: '', fetch })(account.getAccount)).toMatchObject({
    ok: false,
    http: 0,
    problem: { code: 'unavailable' },
  })
})

test('a call that wants a fresh sign-in is tried again once the person has proved it', async () => {
  const regenerate = 'PUT /v1/client/app/secret/regenerate'
  const { fetch, calls } = server({
    [regenerate]: [failed(403, 'reauthentication_required'), ok({ client_secret: 's' })],
  })
  const answer = await openApi({ base: '', fetch, prove: async () => true })(clients.regenerateSecret, { id: 'app' })
  expect(answer).toMatchObject({ ok: true })
  expect(calls()).toEqual([regenerate, regenerate])
})

test('another API origin gets the cookies, too', async () => {
  const { fetch, asked } = server({ 'GET https://api.example.com/v1/account': [ok({})] })
  await openApi({ base: 'https://api.example.com', fetch })(account.getAccount)
  expect(asked[0]?.init?.credentials).toBe('include')
})

import { createMemoryHistory } from '@tanstack/react-router'
import type { Locale } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createAppContext, createAppRouter } from './app.tsx'
import { currentUser } from './lib/session.ts'

const ana = {
  id: 'ana',
  email: 'ana@example.com',
  email_verified: true,
  developer_id: 'jadro',
  permission: 'member',
  developer_accounts: [],
} as unknown as UserInfo

/** Opens an address without knowing the user. Server responses are keyed by `METHOD path`. */
async function open(
  address: string,
  user: UserInfo | null | undefined,
  answers: Record<string, [number, unknown]> = {},
  locale: Locale = 'en-US',
) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(`${init.method} ${url} ${init.body ?? ''}`.trim())
    const [status, data] = answers[`${init.method} ${url}`] ?? [401, null]
    const body = status === 200 ? { status: 'success', data } : { status: 'error', error: { code: 'not_found' } }
    return new Response(JSON.stringify(body), { status })
  })
  const context = createAppContext({ locale, api_base: '', user, refresh: false })
  const router = createAppRouter(context, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  return { at: router.state.location.href, asked, context }
}

afterEach(() => vi.unstubAllGlobals())

describe('beforeLoad (product §2.4)', () => {
  test('loads an unknown user, then opens the page', async () => {
    const { at, asked, context } = await open('/devices', undefined, {
      'GET /v1/account': [200, ana],
      'GET /v1/auth/sessions': [200, []],
    })
    expect(at).toBe('/devices')
    expect(asked).toEqual(['GET /v1/account', 'GET /v1/auth/sessions'])
    expect(currentUser(context)).toMatchObject({ id: 'ana' })
  })

  test('redirects visitors to login with the address', async () => {
    const { at } = await open('/devices', undefined)
    expect(at).toBe('/login?redirect=%2Fdevices&skip=true')
  })

  test('redirects / to home and parents to their first child', async () => {
    expect((await open('/', ana)).at).toBe('/home')
    expect((await open('/privacy', ana)).at).toBe('/privacy/activity')
    expect((await open('/developers/jadro/applications/x', ana)).at).toBe('/developers/jadro/applications/x/details')
  })

  test('redirects /register to login with registration', async () => {
    expect((await open('/register', null)).at).toBe('/login?register=true')
  })

  test('switches the developer account of the address', async () => {
    const burja = { ...ana, developer_id: 'burja' }
    const { at, asked } = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [200, burja] })
    expect(at).toBe('/developers/burja/members')
    expect(asked[0]).toBe('PUT /v1/auth/refresh {"developer_id":"burja"}')
  })

  test('removes the developer segment when switching fails, with a notice', async () => {
    const { at, context } = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [404, null] })
    expect(at).toBe('/developers/jadro/members')
    expect(context.notices.queued).toEqual(['You no longer have access to this developer account.'])
  })

  test('keeps the address when the server is unavailable', async () => {
    const { at, context } = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [503, null] })
    expect(at).toBe('/developers/burja/members')
    expect(context.notices.queued).toEqual([])
  })

  test('redirects to home with a notice when the level is too low', async () => {
    const { at, context } = await open('/developers/jadro/user-management', ana)
    expect(at).toBe('/home')
    expect(context.notices.queued).toEqual(['This page requires the level Analyst.'])
  })

  test('translates a notice of the guard before the first page is shown', async () => {
    const level = await open('/developers/jadro/user-management', ana, {}, 'sl-SI')
    expect(level.context.notices.queued).toEqual(['Za to stran potrebujete raven Analitik.'])
    const developer = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [404, null] }, 'hr-HR')
    expect(developer.context.notices.queued).toEqual(['Više nemate pristup tom računu za programere.'])
  })

  test('keeps an unknown path', async () => {
    expect((await open('/no/page', ana)).at).toBe('/no/page')
  })
})

import { createMemoryHistory } from '@tanstack/react-router'
import type { UserInfo } from '@vrata/contract/account'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeRouter, makeWires } from './app.tsx'
import { currentUser } from './lib/session.ts'

const ana = {
  id: 'ana',
  email: 'ana@example.com',
  email_verified: true,
  developer_id: 'jadro',
  permission: 'member',
  developer_accounts: [],
} as unknown as UserInfo

/** Opens an address as a visitor whom the document did not know; answers of the server by `METHOD path`. */
async function open(
  address: string,
  user: UserInfo | null | undefined,
  answers: Record<string, [number, unknown]> = {},
) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(`${init.method} ${url} ${init.body ?? ''}`.trim())
    const [status, data] = answers[`${init.method} ${url}`] ?? [401, null]
    const body = status === 200 ? { status: 'success', data } : { status: 'error', error: { code: 'not_found' } }
    return new Response(JSON.stringify(body), { status })
  })
  const wires = makeWires({ locale: 'en-US', api_base: '', user, refresh: false })
  const router = makeRouter(wires, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  return { at: router.state.location.href, asked, wires }
}

afterEach(() => vi.unstubAllGlobals())

describe('§2 entering a page', () => {
  test('asks who this is when nobody knows, then opens', async () => {
    const { at, asked, wires } = await open('/devices', undefined, {
      'GET /v1/account': [200, ana],
      'GET /v1/auth/sessions': [200, []],
    })
    expect(at).toBe('/devices')
    expect(asked).toEqual(['GET /v1/account', 'GET /v1/auth/sessions'])
    expect(currentUser(wires)).toMatchObject({ id: 'ana' })
  })

  test('sends nobody to login with the way back', async () => {
    const { at } = await open('/devices', undefined)
    expect(at).toBe('/login?redirect=%2Fdevices&skip=true')
  })

  test('/ goes home, and parents go to their first child', async () => {
    expect((await open('/', ana)).at).toBe('/home')
    expect((await open('/privacy', ana)).at).toBe('/privacy/activity')
    expect((await open('/security', ana)).at).toBe('/security/change-password')
    expect((await open('/developers/jadro/applications/x', ana)).at).toBe('/developers/jadro/applications/x/details')
  })

  test('/register opens login with sign-up', async () => {
    expect((await open('/register', null)).at).toBe('/login?register=true')
  })

  test('switches the developer and stays', async () => {
    const burja = { ...ana, developer_id: 'burja' }
    const { at, asked } = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [200, burja] })
    expect(at).toBe('/developers/burja/members')
    expect(asked[0]).toBe('PUT /v1/auth/refresh {"developer_id":"burja"}')
  })

  test('drops the segment when switching fails, and says so', async () => {
    const { at, wires } = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [404, null] })
    expect(at).toBe('/developers/jadro/members')
    expect(wires.notices.waiting).toEqual(['You no longer have access to this developer account.'])
  })

  test('a server that is away refuses nobody: the address stays, for another try', async () => {
    const { at, wires } = await open('/developers/burja/members', ana, { 'PUT /v1/auth/refresh': [503, null] })
    expect(at).toBe('/developers/burja/members')
    expect(wires.notices.waiting).toEqual([])
  })

  test('sends too low a level home, and says which is needed', async () => {
    const { at, wires } = await open('/developers/jadro/user-management', ana)
    expect(at).toBe('/home')
    expect(wires.notices.waiting).toEqual(['This page needs the level Analyst.'])
  })

  test('an unknown path stays where it is', async () => {
    expect((await open('/no/door', ana)).at).toBe('/no/door')
  })
})

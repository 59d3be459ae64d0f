import { QueryClient } from '@tanstack/react-query'
import type { UserInfo } from '@vrata/contract/account'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppContext } from './app-context.tsx'
import { currentUser, loadUser, setUser } from './session.ts'

const jadro = {
  developer_id: 'jadro',
  name: 'Jadro',
  logo: null,
  approval: null,
  approval_reason: null,
  permission: 'owner',
} as const
const burja = {
  developer_id: 'burja',
  name: 'Burja',
  logo: null,
  approval: null,
  approval_reason: null,
  permission: 'member',
} as const
const ana = {
  id: 'ana',
  developer_id: 'jadro',
  permission: 'owner',
  developer_accounts: [burja, jadro],
} as unknown as UserInfo

let tab: { queries: QueryClient }
beforeEach(() => {
  tab = { queries: new QueryClient() }
  setUser(tab, ana)
})

test('keeps the organization of the tab when the server reports another', () => {
  setUser(tab, { ...ana, developer_id: 'burja', permission: 'member', first_name: 'Ana' })
  expect(currentUser(tab)).toMatchObject({ first_name: 'Ana', developer_id: 'jadro', permission: 'owner' })
})

test('updates the level in the organization of the tab', () => {
  setUser(tab, { ...ana, developer_id: 'burja', developer_accounts: [burja, { ...jadro, permission: 'admin' }] })
  expect(currentUser(tab)).toMatchObject({ developer_id: 'jadro', permission: 'admin' })
})

test('changes the organization after the membership ended or for another user', () => {
  const elsewhere = { ...ana, developer_id: 'burja', permission: 'member', developer_accounts: [burja] } as UserInfo
  setUser(tab, elsewhere)
  expect(currentUser(tab)).toMatchObject({ developer_id: 'burja', permission: 'member' })
  setUser(tab, ana)
  setUser(tab, { ...elsewhere, id: 'bor' })
  expect(currentUser(tab)).toMatchObject({ id: 'bor', developer_id: 'burja' })
})

test('forgets what was read for another user, and keeps it for the same one', () => {
  tab.queries.setQueryData(['/auth/sessions', {}], ['a device of Ana'])
  setUser(tab, { ...ana, first_name: 'Ana' })
  expect(tab.queries.getQueryData(['/auth/sessions', {}])).toEqual(['a device of Ana'])
  setUser(tab, { ...ana, id: 'bor' })
  expect(tab.queries.getQueryData(['/auth/sessions', {}])).toBeUndefined()
})

describe('the user is loaded', () => {
  const reload = vi.fn()
  const load = async (http: number, data?: UserInfo) => {
    vi.stubGlobal('location', { reload })
    const answer = data ? { ok: true, data, http } : { ok: false, problem: { code: 'unauthenticated' }, http }
    await loadUser({ ...tab, api: async () => answer, expired: false } as unknown as AppContext)
  }
  afterEach(() => vi.unstubAllGlobals())

  test('and a page keeps its user until it has been left, although the session has ended', async () => {
    await load(401)
    expect(currentUser(tab)).toMatchObject({ id: 'ana' })
  })

  test('and a page does not become that of a person who has signed in in another tab', async () => {
    await load(200, { ...ana, first_name: 'Anica' })
    expect(reload).not.toHaveBeenCalled()
    await load(200, { ...ana, id: 'bor' })
    expect(reload).toHaveBeenCalledOnce()
    expect(currentUser(tab)).toMatchObject({ first_name: 'Anica' })
  })
})

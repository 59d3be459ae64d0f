import { QueryClient } from '@tanstack/react-query'
import type { UserInfo } from '@vrata/contract/account'
import { beforeEach, expect, test } from 'vitest'
import { currentUser, setUser } from './session.ts'

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

import { atLeast, type Method, type Needs, type OperatorNeed } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'

type Call = { needs: Exclude<Needs, OperatorNeed>; method?: Method; unapproved?: boolean }

/**
 * Whether the user may make a call, by the contract's `needs`, which the server also checks (architecture §3.5). An organization
 * that is not approved allows fewer.
 */
export function can(user: UserInfo | null | undefined, { needs, method = 'GET', unapproved }: Call): boolean {
  if (needs === 'nobody' || needs === 'anywhere') return true
  if (!user) return false
  if (needs === 'session') return true
  const waits = currentDeveloper(user)?.approval != null && method !== 'GET' && !unapproved
  return !waits && user.developer_id !== null && atLeast(user.permission, needs)
}

/** The current developer account of the user. */
export function currentDeveloper({ developer_accounts, developer_id }: UserInfo) {
  return developer_accounts.find((one) => one.developer_id === developer_id)
}

import { useQuery } from '@tanstack/react-query'
import { type Answer, account, atLeast, auth, type Needs } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import type { Wires } from './wires.tsx'
import { useWires } from './wires.tsx'

/** Where the person of the session is kept. `null` is nobody; nothing there means that nobody has asked yet. */
export const ACCOUNT = ['account'] as const

/** The person, nobody, or undefined while unknown. */
export function currentUser({ queries }: Pick<Wires, 'queries'>): UserInfo | null | undefined {
  return queries.getQueryData<UserInfo | null>(ACCOUNT)
}

/**
 * Remembers what the server says of the person. It also says which organisation the session was in last, which may be
 * that of another tab: this one stays where it is, as long as they belong there (decision 0104).
 */
export function setUser(wires: Pick<Wires, 'queries'>, user: UserInfo | null) {
  const before = currentUser(wires)
  const here =
    user && before?.id === user.id
      ? user.developer_accounts.find(({ developer_id }) => developer_id === before.developer_id)
      : undefined
  keepUser(wires, user && here ? { ...user, developer_id: here.developer_id, permission: here.permission } : user)
}

function keepUser({ queries }: Pick<Wires, 'queries'>, user: UserInfo | null) {
  queries.setQueryData(ACCOUNT, user)
}

/**
 * Asks the server who this is. Where the document said that the access has expired, one refresh answers it; otherwise
 * the caller refreshes by itself when it must. No answer leaves what was known.
 */
export async function loadUser(wires: Wires): Promise<UserInfo | null> {
  const answer = await (wires.expired ? wires.api(auth.refresh) : wires.api(account.getAccount))
  wires.expired = false
  if (answer.ok) setUser(wires, answer.data)
  else if (answer.http === 401) setUser(wires, null)
  return currentUser(wires) ?? null
}

/** Makes another developer account the current one; null goes back to the personal account. */
export async function switchDeveloper(wires: Wires, developer_id: string | null): Promise<Answer<UserInfo>> {
  const answer = await wires.api(auth.refresh, { developer_id })
  if (!answer.ok) return answer
  // What belongs to the other organisation must not be shown in this one.
  wires.queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT[0] })
  keepUser(wires, answer.data)
  return answer
}

/** Ends the session, at the server and here. False when the server did not answer: then it goes on. */
export async function signOut(wires: Wires): Promise<boolean> {
  const answer = await wires.api(auth.logout)
  if (!answer.ok) return false
  wires.queries.clear()
  setUser(wires, null)
  return true
}

/** Whether this person may make a call: the same fact as the server's fence reads (house.md §5). */
export function can(user: UserInfo | null | undefined, { needs }: { needs: Needs }): boolean {
  if (needs === 'nobody' || needs === 'anywhere') return true
  if (!user) return false
  return needs === 'session' || (user.developer_id !== null && atLeast(user.permission, needs))
}

/** The person of the session, or null. Repaints when they change. */
export function useSession(): UserInfo | null {
  const wires = useWires()
  const { data } = useQuery<UserInfo | null>({
    queryKey: ACCOUNT,
    queryFn: () => loadUser(wires),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? null
}

/** The person, on pages that the guard opens only to somebody signed in. */
export function useUser(): UserInfo {
  const user = useSession()
  if (!user) throw new Error('useUser is for pages behind the guard')
  return user
}

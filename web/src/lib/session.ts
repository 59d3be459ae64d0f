import { useQuery } from '@tanstack/react-query'
import { account, atLeast, auth, type Needs } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import type { Wires } from './wires.tsx'
import { useWires } from './wires.tsx'

/** Where the person of the session is kept. `null` is nobody; nothing there means that nobody has asked yet. */
export const ACCOUNT = ['account'] as const

/** The person, nobody, or undefined while unknown. */
export function currentUser({ queries }: Pick<Wires, 'queries'>): UserInfo | null | undefined {
  return queries.getQueryData<UserInfo | null>(ACCOUNT)
}

export function setUser({ queries }: Pick<Wires, 'queries'>, user: UserInfo | null) {
  queries.setQueryData(ACCOUNT, user)
}

/** Asks the server who this is. The caller refreshes an expired access by itself; no answer leaves what was known. */
export async function loadUser(wires: Wires): Promise<UserInfo | null> {
  const answer = await wires.api(account.getAccount)
  if (answer.ok) setUser(wires, answer.data)
  else if (answer.http === 401) setUser(wires, null)
  return currentUser(wires) ?? null
}

/** Makes another developer account the current one; null goes back to the personal account. False if refused. */
export async function switchDeveloper(wires: Wires, developer_id: string | null): Promise<boolean> {
  const answer = await wires.api(auth.refresh, { developer_id })
  if (!answer.ok) return false
  // What belongs to the other organisation must not be shown in this one.
  wires.queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT[0] })
  setUser(wires, answer.data)
  return true
}

/** Ends the session, here at once and at the server. */
export async function signOut(wires: Wires): Promise<void> {
  await wires.api(auth.logout)
  wires.queries.clear()
  setUser(wires, null)
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

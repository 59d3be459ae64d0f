import { useQuery } from '@tanstack/react-query'
import { type Answer, account, sessions } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import type { AppContext } from './app-context.tsx'
import { useAppContext } from './app-context.tsx'

/** Query key of the user. `null` is nobody; no data means unknown. */
export const ACCOUNT_KEY = ['account'] as const

/** The user, null when signed out, undefined while unknown. */
export function currentUser({ queries }: Pick<AppContext, 'queries'>): UserInfo | null | undefined {
  return queries.getQueryData<UserInfo | null>(ACCOUNT_KEY)
}

/**
 * Caches the user. The server also reports the session's last organization, which may be that of another tab; this tab
 * keeps its own while the user is a member (decision 0005). What was read for another user is forgotten.
 */
export function setUser(context: Pick<AppContext, 'queries'>, user: UserInfo | null) {
  const before = currentUser(context)
  if (before && before.id !== user?.id) forgetData(context)
  const membership =
    user && before?.id === user.id
      ? user.developer_accounts.find(({ developer_id }) => developer_id === before.developer_id)
      : undefined
  writeUser(
    context,
    user && membership ? { ...user, developer_id: membership.developer_id, permission: membership.permission } : user,
  )
}

/** Forgets what has been read, except the user. */
function forgetData({ queries }: Pick<AppContext, 'queries'>) {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT_KEY[0] })
}

/**
 * Caches the user that the server has reported for this page. False when it is another person, who has signed in in another tab
 * of this browser: the page then reloads, because what it shows and what is entered in it is not theirs.
 */
export function acceptUser(context: Pick<AppContext, 'queries'>, user: UserInfo): boolean {
  const before = currentUser(context)
  const same = !before || before.id === user.id
  if (same) setUser(context, user)
  else location.reload()
  return same
}

function writeUser({ queries }: Pick<AppContext, 'queries'>, user: UserInfo | null) {
  queries.setQueryData(ACCOUNT_KEY, user)
}

/**
 * Loads the user. When the access has expired, one refresh also answers it. Without a response the cached user stays, and also
 * when the session has ended: the page that shows the user is left first (`main.tsx`).
 */
export async function loadUser(context: AppContext): Promise<UserInfo | null> {
  const answer = await (context.expired ? context.api(sessions.refresh) : context.api(account.getAccount))
  context.expired = false
  if (answer.ok) acceptUser(context, answer.data)
  return currentUser(context) ?? null
}

/** Switches the developer account; null selects the personal account. */
export async function switchDeveloper(context: AppContext, developer_id: string | null): Promise<Answer<UserInfo>> {
  const answer = await context.api(sessions.refresh, { developer_id })
  if (!answer.ok) return answer
  // Data of another organization must not be shown in this one.
  forgetData(context)
  writeUser(context, answer.data)
  return answer
}

/** The user, or null. Renders again on change. */
export function useSession(): UserInfo | null {
  const context = useAppContext()
  const { data } = useQuery<UserInfo | null>({
    queryKey: ACCOUNT_KEY,
    queryFn: () => loadUser(context),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? null
}

/** The user, for pages behind the guard. */
export function useUser(): UserInfo {
  const user = useSession()
  if (!user) throw new Error('useUser is for pages behind the guard')
  return user
}

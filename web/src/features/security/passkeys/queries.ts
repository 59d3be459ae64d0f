import { security } from '@vrata/contract'
import { callQuery, JUST_READ } from '../../../lib/api/call-query.ts'
import { readAgain } from '../../../lib/api/read-again.ts'
import { withoutRetry } from '../../../lib/api/without-retry.ts'
import type { AppContext } from '../../../lib/app-context.tsx'
import { loadUser } from '../../../lib/session.ts'

/** Not cached, because another device may have added one. */
export const passkeyList = (context: Pick<AppContext, 'api'>) => ({
  ...callQuery(context, security.listPasskeys, {}),
  staleTime: JUST_READ,
})

export const preloadPasskeyList = (context: AppContext) =>
  context.queries.prefetchQuery(withoutRetry(passkeyList(context)))

/** Reloads the list and the user's number of passkeys. */
export async function reloadPasskeys(context: AppContext): Promise<void> {
  const list = context.queries.invalidateQueries({ queryKey: passkeyList(context).queryKey })
  await readAgain(Promise.all([list, loadUser(context)]))
}

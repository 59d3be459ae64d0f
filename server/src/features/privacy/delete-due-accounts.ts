import { LIFETIMES } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Listener } from '../../listeners.ts'
import { deleteAccount, findUnconfirmedForUpdate, findUserForUpdate, listUnconfirmed } from '../account/public.ts'
import * as store from './store.ts'

/**
 * Deletes accounts 14 days after the request, in batches of `limit`, and returns how many (api §3.10). A failed deletion is
 * logged and retried in the next round.
 */
export async function deleteDueAccounts(app: AppDeps, limit: number): Promise<number> {
  const now = toTime(app.clock.now())
  return await deleteEach(app, limit, (after) => store.listDueDeletions(app.db, now, { after, limit }), deleteIfDue)
}

/** Deletes accounts whose address is unconfirmed 14 days after registration (security §14.2.7), like due accounts. */
export async function deleteUnconfirmedAccounts(app: AppDeps, limit: number): Promise<number> {
  const before = timeAfter(app.clock.now(), -LIFETIMES.unconfirmed_account)
  return await deleteEach(app, limit, (after) => listUnconfirmed(app.db, before, { after, limit }), deleteIfUnconfirmed)
}

async function deleteEach(
  app: AppDeps,
  limit: number,
  list: (after: string) => Promise<string[]>,
  deleteOne: (deps: TransactionDeps, user_id: string) => Promise<void>,
): Promise<number> {
  let done = 0
  let due: string[] = []
  do {
    due = await list(due.at(-1) ?? '')
    for (const user_id of due) {
      const one = app.transaction((deps) => deleteOne(deps, user_id))
      done += await one.then(
        () => 1,
        (err) => {
          app.log.error({ err, user_id }, 'an account could not be deleted')
          return 0
        },
      )
    }
  } while (due.length === limit)
  return done
}

async function deleteIfDue(deps: TransactionDeps, user_id: string): Promise<void> {
  // A concurrent sign-in locks the user first, too, so one of the two transactions sees the other's result.
  const user = await findUserForUpdate(deps.db, user_id)
  if (!user || !(await store.findDueForUpdate(deps.db, user_id, toTime(deps.clock.now())))) return
  await deleteAccount(deps, user)
  deps.log.info({ user_id }, 'account deleted')
}

async function deleteIfUnconfirmed(deps: TransactionDeps, user_id: string): Promise<void> {
  const user = await findUnconfirmedForUpdate(deps.db, user_id)
  if (!user) return
  await deleteAccount(deps, user)
  deps.log.info({ user_id }, 'unconfirmed account deleted')
}

/** Listens to `account_deleted`: removes the files of archives, which live seven days and need a session. */
export const onAccountDeleted: Listener<'account_deleted'> = async (deps, { user_id }) => {
  for (const { file } of await store.listRequests(deps.db, user_id, 100)) {
    if (file) deps.after(() => deps.archives.remove(file))
  }
}

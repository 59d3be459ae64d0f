import { LIFETIMES } from '@vrata/contract'
import { inSmallSteps } from '../../db/transactions/small-steps.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Listener } from '../../listeners.ts'
import {
  deleteAccount,
  findUnconfirmedForUpdate,
  findUserForUpdate,
  listUnconfirmed,
  type User,
} from '../account/public.ts'
import { deleteSomeActivities, hasManyActivities } from '../activity/public.ts'
import { hasToken } from '../security/public.ts'
import { deleteSomeSessions, hasManySessions } from '../sessions/public.ts'
import { removeArchive } from './archive-job.ts'
import * as store from './store.ts'

/**
 * Deletes accounts 14 days after the request, in batches of `limit`, and returns how many (api §3.10). A failed deletion is
 * logged and retried in the next round.
 */
export async function deleteDueAccounts(app: AppDeps, limit: number): Promise<number> {
  const now = toTime(app.clock.now())
  return await deleteEach(
    app,
    limit,
    (after) => store.listDueDeletions(app.db, now, { after, limit }),
    findDueForUpdate,
  )
}

/**
 * Deletes accounts whose address is unconfirmed 14 days after registration (security §14.2.7), like due accounts. One that an operator has
 * invited again stays while the link works (operators §9).
 */
export async function deleteUnconfirmedAccounts(app: AppDeps, limit: number): Promise<number> {
  const before = timeAfter(app.clock.now(), -LIFETIMES.unconfirmed_account)
  const list = (after: string) => listUnconfirmed(app.db, before, { after, limit })
  return await deleteEach(app, limit, list, findUninvitedForUpdate)
}

async function findUninvitedForUpdate(deps: TransactionDeps, user_id: string): Promise<User | undefined> {
  const user = await findUnconfirmedForUpdate(deps.db, user_id)
  return user && !(await hasToken(deps, 'accept_account', user_id)) ? user : undefined
}

/** Locks a user who is still to be deleted. */
type Lock = (deps: TransactionDeps, user_id: string) => Promise<User | undefined>

async function deleteEach(
  app: AppDeps,
  limit: number,
  list: (after: string) => Promise<string[]>,
  lock: Lock,
): Promise<number> {
  let done = 0
  let due: string[] = []
  do {
    due = await list(due.at(-1) ?? '')
    for (const user_id of due) {
      done += await deleteOne(app, lock, user_id).then(
        (deleted) => Number(deleted),
        (err) => {
          app.log.error({ err, user_id }, 'an account could not be deleted')
          return 0
        },
      )
    }
  } while (due.length === limit)
  return done
}

async function findDueForUpdate(deps: TransactionDeps, user_id: string): Promise<User | undefined> {
  // A concurrent sign-in locks the user first, too, so one of the two transactions sees the other's result.
  const user = await findUserForUpdate(deps.db, user_id)
  return user && (await store.findDueForUpdate(deps.db, user_id, toTime(deps.clock.now()))) ? user : undefined
}

/** Sessions or activities that are deleted in one transaction with the account. */
const AT_ONCE = 1000

/** Returns false for a user who is not to be deleted any more. */
async function deleteOne(app: AppDeps, lock: Lock, user_id: string): Promise<boolean> {
  if (await hasManySessions(app.db, user_id, AT_ONCE)) await inSteps(deleteSomeSessions)
  if (await hasManyActivities(app.db, user_id, AT_ONCE))
    await inSteps(({ db }, id, most) => deleteSomeActivities(db, id, most))
  return await app.transaction(async (deps) => {
    const user = await lock(deps, user_id)
    if (!user) return false
    await deleteAccount(deps, user)
    deps.log.info({ user_id }, 'account deleted')
    return true
  })

  async function inSteps(step: (deps: TransactionDeps, user_id: string, most: number) => Promise<number>) {
    await inSmallSteps(app.db, (most) =>
      app.transaction(async (deps) => ((await lock(deps, user_id)) ? await step(deps, user_id, most) : 0)),
    )
  }
}

/** Listens to `account_deleted`: removes the files of archives, which live seven days and need a session. */
export const onAccountDeleted: Listener<'account_deleted'> = async (deps, { user_id }) => {
  for (const { file } of await store.listRequests(deps.db, user_id, 100)) {
    if (file) await removeArchive(deps, file)
  }
}

import { LIFETIMES } from '@vrata/contract'
import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import { ROWS_AT_ONCE, smallStepsFor } from '../../../db/transactions/small-steps.ts'
import { timeAfter, toTime } from '../../../db/values.ts'
import type { AppDeps } from '../../../deps.ts'
import {
  clearAccessChange,
  findAccessChange,
  findAccessChangeForUpdate,
  listClientsWithAccessChange,
} from '../../../features/clients/public.ts'
import {
  type AccessPosition,
  CHANGE_ACCESS_JOB,
  type ChangeAccessJob,
  compareSome,
} from '../../../features/connections/public.ts'
import { deleteWithoutAccess, listExpiring } from './access-store.ts'

/** Writes a change of a rule to some connections of a client, and queues itself for the others (decision 0092). */
export function changeAccessJob(deps: AppDeps): JobHandler {
  return jobInTurns<ChangeAccessJob>(deps, CHANGE_ACCESS_JOB, (job, milliseconds) =>
    changeAccess(deps, job, milliseconds),
  )
}

/** Completes what jobs that have failed for good have left. */
export async function pruneAccessChanges(deps: AppDeps): Promise<void> {
  for (const client_id of await listClientsWithAccessChange(deps.db)) {
    for (let rest: ChangeAccessJob | undefined = { client_id }; rest; )
      rest = await changeAccess(deps, rest, Number.POSITIVE_INFINITY)
  }
}

/** Compares connections, and then tokens, for some milliseconds. Returns where to go on; undefined when all are compared. */
async function changeAccess(
  deps: Pick<AppDeps, 'db' | 'clock' | 'transaction'>,
  { client_id, place }: ChangeAccessJob,
  milliseconds: number,
): Promise<ChangeAccessJob | undefined> {
  const change = await findAccessChange(deps.db, client_id)
  if (change === undefined) return undefined
  // When the rule has changed again meanwhile, it begins again.
  const now: AccessPosition = place?.change === change ? { ...place } : { change, after: '' }
  if (now.after !== null) {
    const compare = async (most: number) => {
      const after = now.after ?? ''
      const ids = await deps.transaction((tx) => compareSome(tx, { client_id, change, after }, most))
      now.after = ids.at(-1) ?? after
      return ids.length
    }
    const { complete } = await smallStepsFor(deps.db, milliseconds, compare)
    // A connection that has got a new id while the last step waited for it comes after all others now (decision 0145).
    if (!complete || (await compare(ROWS_AT_ONCE)) > 0) return { client_id, place: now }
    now.after = null
  }
  if (!(await deleteExchanged(deps, client_id, now, milliseconds))) return { client_id, place: now }
  await deps.transaction(({ db }) => clearAccessChange(db, client_id, change))
  return (await findAccessChange(deps.db, client_id)) === undefined ? undefined : { client_id }
}

/**
 * Deletes tokens that the client has received in exchange for tokens of others, of people who may not use it. No index finds them: all
 * tokens are looked at that expire as early as access tokens do.
 */
async function deleteExchanged(
  deps: Pick<AppDeps, 'db' | 'clock' | 'transaction'>,
  client_id: string,
  place: AccessPosition,
  milliseconds: number,
): Promise<boolean> {
  const now = deps.clock.now()
  const until = timeAfter(now, LIFETIMES.access_token_max)
  const { complete } = await smallStepsFor(deps.db, milliseconds, async (most) => {
    const after = place.token ?? { expires_at: toTime(now), token_hash: '' }
    const rows = await listExpiring(deps.db, { after, until }, most)
    const hashes = rows.flatMap((row) => (row.client_id === client_id && row.user_id ? [row.token_hash] : []))
    if (hashes.length > 0)
      await deps.transaction(async ({ db }) => {
        if ((await findAccessChangeForUpdate(db, client_id)) === place.change)
          await deleteWithoutAccess(db, client_id, hashes)
      })
    const last = rows.at(-1)
    if (last) place.token = { expires_at: last.expires_at, token_hash: last.token_hash }
    return rows.length
  })
  return complete
}

import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import { enqueue } from '../../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import { ROWS_AT_ONCE, smallStepsFor } from '../../../db/transactions/small-steps.ts'
import { toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import {
  clearTokensEndedAt,
  findTokensEndedAt,
  findTokensEndedForUpdate,
  listClientsWithEndedTokens,
  updateTokensEndedAt,
} from '../../../features/clients/public.ts'
import {
  deleteExchanged,
  deleteSome,
  deleteTokensOfClient,
  hasManyTokens,
  listConnectionIds,
} from './ended-token-store.ts'

/** The job that deletes some of the tokens that have ended with a client, and queues itself for the others. */
export const END_TOKENS_JOB = 'end_tokens'

/** `place`: the last connection that was looked at, while tokens until this time were deleted. */
type EndTokens = { client_id: string; place?: { until: string; after: string } }

/**
 * Ends all tokens of a client that is disabled or deleted, and those that others received in exchange for them: deletes few, and marks
 * many as ended, so that no other write waits until they are deleted (decision 0092). Those of a deleted client are deleted by the job
 * that deletes its connections.
 */
export async function endTokensOfClient(
  deps: TransactionDeps,
  client_id: string,
  why: 'disabled' | 'deleted',
): Promise<void> {
  // Those of a client that is marked already are deleted with it.
  const marked = why === 'deleted' && (await findTokensEndedAt(deps.db, client_id)) !== undefined
  const few = !marked && !(await hasManyTokens(deps.db, client_id, ROWS_AT_ONCE))
  if (few && (await deleteTokensOfClient(deps.db, client_id, ROWS_AT_ONCE))) return
  await updateTokensEndedAt(deps.db, client_id, toTime(deps.clock.now()))
  if (why === 'disabled') await enqueue(deps, END_TOKENS_JOB, { client_id } satisfies EndTokens)
}

/** Deletes the tokens of a deleted client for some milliseconds. Returns whether none is left. */
export async function deleteTokensFor(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  client_id: string,
  milliseconds: number,
): Promise<boolean> {
  const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
    deps.transaction(({ db }) => deleteSome(db, client_id, undefined, most)),
  )
  return complete
}

/** Handles `END_TOKENS_JOB`. */
export function endTokensJob(deps: AppDeps): JobHandler {
  return jobInTurns(deps, END_TOKENS_JOB, (job: EndTokens, milliseconds) => deleteEndedTokens(deps, job, milliseconds))
}

/** Deletes what jobs that have failed for good have left. */
export async function pruneEndedTokens(deps: AppDeps): Promise<void> {
  for (const client_id of await listClientsWithEndedTokens(deps.db))
    await deleteEndedTokens(deps, { client_id }, Number.POSITIVE_INFINITY)
}

/** Deletes tokens that have ended with a client for some milliseconds. Returns where to go on; undefined when all are deleted. */
async function deleteEndedTokens(
  deps: Pick<AppDeps, 'db' | 'transaction'>,
  { client_id, place }: EndTokens,
  milliseconds: number,
): Promise<EndTokens | undefined> {
  const until = await findTokensEndedAt(deps.db, client_id)
  if (until === undefined) return undefined
  // When others have ended meanwhile, it begins again.
  let after = place?.until === until ? place.after : ''
  const own = await smallStepsFor(deps.db, milliseconds, (most) =>
    whileEnded(deps, client_id, async ({ db }, before) => await deleteSome(db, client_id, before, most)),
  )
  if (!own.complete) return { client_id, place: { until, after } }
  const exchanged = await smallStepsFor(deps.db, milliseconds, (most) =>
    whileEnded(deps, client_id, async ({ db }, before) => {
      const connection_ids = await listConnectionIds(db, client_id, after, most)
      await deleteExchanged(db, connection_ids, before)
      after = connection_ids.at(-1) ?? after
      return connection_ids.length
    }),
  )
  const cleared = exchanged.complete && (await deps.transaction(({ db }) => clearTokensEndedAt(db, client_id, until)))
  return cleared ? undefined : { client_id, place: { until, after } }
}

/** Runs a step with the time until which tokens have ended; without one while the client is disabled, because all have. */
async function whileEnded(
  deps: Pick<AppDeps, 'transaction'>,
  client_id: string,
  step: (tx: TransactionDeps, before: string | undefined) => Promise<number>,
): Promise<number> {
  return await deps.transaction(async (tx) => {
    const ended = await findTokensEndedForUpdate(tx.db, client_id)
    return ended ? await step(tx, ended.all ? undefined : ended.until) : 0
  })
}

import { jobInTurns } from '../../../adapters/jobs/job-in-turns.ts'
import { enqueue } from '../../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../../adapters/jobs/runner.ts'
import { smallStepsFor } from '../../../db/transactions/small-steps.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import { renewConnection } from '../../../features/connections/public.ts'
import { batches } from '../../../lib/batches.ts'
import { parseGrantId } from '../grant-ids.ts'
import type { TokenKind } from '../store.ts'
import * as store from './connection-token-store.ts'

/** The job that deletes tokens that have ended with their session, or because no connection has their id any more. */
export const DELETE_TOKENS_JOB = 'delete_tokens'
type DeleteTokens = { connection_id: string } | { session_ids: readonly string[] }

/** Tokens that one transaction deletes (`Adapters.tokens_at_once`). */
export const TOKENS_AT_ONCE = 5000

/** Former ids of connections with their new ones. */
type Renewed = Map<string, string>

/**
 * Ends all tokens of connections that the transaction has locked. A connection with many gets another id, so that they have ended, and a job
 * deletes them (decision 0145).
 */
export async function endTokensOfConnections(
  deps: TransactionDeps,
  connection_ids: readonly string[],
  renewed: Renewed,
): Promise<void> {
  for (const some of batches(connection_ids)) {
    const many = new Set(await store.listWithManyTokens(deps.db, some, deps.tokens_at_once))
    for (const id of many) await renew(deps, id, renewed)
    await store.deleteTokensOfConnections(
      deps.db,
      some.filter((id) => !many.has(id)),
    )
  }
}

/**
 * Ends the tokens of a grant, or those of one kind, while its connection is locked; if they are many, all tokens of the connection. Returns
 * whether there were some.
 */
export async function endTokensOfGrant(deps: TransactionDeps, grant_id: string, kind?: TokenKind): Promise<boolean> {
  const { connection_id } = parseGrantId(grant_id)
  const which = { connection_id, grant_id, kinds: kind && [kind] }
  const deleted = await store.deleteSome(deps.db, which, deps.tokens_at_once)
  if (deleted === deps.tokens_at_once) await renew(deps, connection_id)
  return deleted > 0
}

/** Ends the tokens of a session that stays, while the connections of its user are locked; as `endTokensOfGrant` for each of them. */
export async function endTokensOfSession(
  deps: TransactionDeps,
  session_id: string,
  connection_ids: readonly string[],
  renewed: Renewed,
): Promise<void> {
  for (const connection_id of connection_ids) {
    const deleted = await store.deleteSome(deps.db, { connection_id, session_id }, deps.tokens_at_once)
    if (deleted === deps.tokens_at_once) await renew(deps, connection_id, renewed)
  }
}

/** Ends the tokens of a connection that contain a scope; if those of these kinds are many, all tokens of the connection. */
export async function endTokensWithScope(
  deps: TransactionDeps,
  { connection_id, kinds, scope }: { connection_id: string; kinds: readonly TokenKind[]; scope: string },
  renewed: Renewed,
): Promise<void> {
  if (await store.deleteTokensWithScope(deps.db, { connection_id, kinds }, scope, deps.tokens_at_once)) return
  await renew(deps, connection_id, renewed)
}

/**
 * Deletes tokens of sessions that have ended, with which the tokens have ended; a job deletes those that are left. Looks until it finds none:
 * a token request that was under way has created others, which a statement that waited for it does not see (decision 0012).
 */
export async function deleteTokensOfSessions(deps: TransactionDeps, session_ids: readonly string[]): Promise<void> {
  for (const some of batches(session_ids)) {
    let left = deps.tokens_at_once
    for (let deleted = left; deleted > 0 && left > 0; left -= deleted)
      deleted = await store.deleteSomeOfSessions(deps.db, some, left)
    if (left === 0) await enqueue(deps, DELETE_TOKENS_JOB, { session_ids: some } satisfies DeleteTokens)
  }
}

/** Handles `DELETE_TOKENS_JOB`. */
export function deleteTokensJob(deps: AppDeps): JobHandler {
  return jobInTurns(deps, DELETE_TOKENS_JOB, async (job: DeleteTokens, milliseconds) => {
    const { complete } = await smallStepsFor(deps.db, milliseconds, (most) =>
      deps.transaction(({ db }) =>
        'connection_id' in job
          ? store.deleteSome(db, job, most)
          : store.deleteSomeOfSessions(db, job.session_ids, most),
      ),
    )
    return complete ? undefined : job
  })
}

async function renew(deps: TransactionDeps, connection_id: string, renewed?: Renewed): Promise<void> {
  const id = await renewConnection(deps, connection_id)
  // It has another id already, and a job deletes the tokens.
  if (id === undefined) return
  renewed?.set(connection_id, id)
  await enqueue(deps, DELETE_TOKENS_JOB, { connection_id } satisfies DeleteTokens)
}

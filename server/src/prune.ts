import { setTimeout as pause } from 'node:timers/promises'
import { FilesUnavailable } from './adapters/media/files.ts'
import { isUnavailable } from './db/dialect.ts'
import type { Store } from './db/open.ts'
import { inSmallSteps } from './db/transactions/small-steps.ts'
import type { AppDeps, TransactionDeps } from './deps.ts'
import { completeTerms } from './features/account/public.ts'
import { prune as pruneActivity } from './features/activity/public.ts'
import { pruneFactorResets } from './features/admin-users/public.ts'
import { pruneEvents } from './features/audit/public.ts'
import { pruneClientErrors } from './features/client-diagnostics/public.ts'
import { pruneRegistrationTokens } from './features/client-registration/public.ts'
import { pruneMetadataDocuments } from './features/clients/public.ts'
import {
  nameConnections,
  pruneDeletedClients,
  pruneDeletedOrganizations,
  pruneDeletedScopes,
} from './features/connections/public.ts'
import { pruneDeletedGroups } from './features/groups/public.ts'
import { prune as prunePictures } from './features/media/public.ts'
import { pruneInvitations } from './features/members/public.ts'
import { deleteDueAccounts, deleteUnconfirmedAccounts, pruneArchives } from './features/privacy/public.ts'
import { prune as pruneSecurity } from './features/security/public.ts'
import { pruneEndedSessions, prune as pruneSessions } from './features/sessions/public.ts'
import { prune as pruneSignIn } from './features/sign-in/public.ts'
import { pruneDays } from './features/statistics/public.ts'
import { rotateWhenDue } from './issuer/keys/signing-keys.ts'
import { pruneIssuer } from './issuer/prune.ts'
import { deleteTokensWithoutSession } from './issuer/tokens/deletion/connection-token-store.ts'
import { deleteTokensFor } from './issuer/tokens/deletion/end-tokens.ts'
import { clockError } from './lib/database-clock.ts'

/** Seconds between two rounds. */
const EVERY = 600
/** Items of a round that uses a transaction for each. */
const STEP = 500

type Prune = (deps: TransactionDeps, most: number) => Promise<number>
/** For prunings that also delete files, or use one transaction per item. */
type OpenPrune = (deps: AppDeps, most: number) => Promise<number>

/** Prunings that delete or complete rows in small steps, each in a transaction. */
const IN_SMALL_STEPS: readonly Prune[] = [
  completeTerms,
  nameConnections,
  pruneActivity,
  pruneSignIn,
  pruneSecurity,
  pruneDays,
  pruneClientErrors,
  pruneInvitations,
  pruneFactorResets,
  pruneRegistrationTokens,
  pruneMetadataDocuments,
  pruneEvents,
]
const OPEN: readonly OpenPrune[] = [prunePictures, pruneArchives, deleteDueAccounts, deleteUnconfirmedAccounts]

/**
 * Deletes expired rows of all features, and completes rows of former versions; resolves with their number. Each pruning runs although one
 * before it has failed, unless the database is unavailable: a store of pictures that does not answer must not keep accounts from being deleted.
 * Throws the failures at the end, as an `AggregateError`.
 */
export async function pruneAll(deps: AppDeps): Promise<number> {
  const all: (() => Promise<number | void>)[] = [
    () => pruneDeletedClients(deps, deleteTokensFor),
    () => pruneDeletedOrganizations(deps, deleteTokensFor),
    () => pruneDeletedGroups(deps),
    () => pruneEndedSessions(deps, deleteTokensWithoutSession),
    () => pruneDeletedScopes(deps),
    () => pruneIssuer(deps),
    ...IN_SMALL_STEPS.map((prune) => () => inSmallSteps(deps.db, (most) => deps.transaction((tx) => prune(tx, most)))),
    () => pruneSessions(deps),
    ...OPEN.map((prune) => () => inFullSteps((most) => prune(deps, most))),
  ]
  let pruned = 0
  const failures: unknown[] = []
  for (const prune of all) {
    const count = await prune().catch((error: unknown) => {
      if (isUnavailable(error) && !(error instanceof FilesUnavailable)) throw error
      failures.push(error)
    })
    pruned += count ?? 0
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some prunings have failed')
  return pruned
}

/** Repeats a step until it handles fewer items than it may. */
async function inFullSteps(step: (most: number) => Promise<number>): Promise<number> {
  let pruned = 0
  for (let count = STEP; count >= STEP; pruned += count) count = await step(STEP)
  return pruned
}

/**
 * Prunes and rotates due signing keys periodically until stopped, `every` so many seconds at least. A failed round is logged and repeated at the
 * next interval.
 */
export function startPruning(deps: AppDeps, store: Pick<Store, 'ping'>, every = EVERY): { stop(): void } {
  const stopping = new AbortController()
  const { signal } = stopping
  // A round that is running when the server stops finds the database closed.
  const report = (err: unknown, what: string) => {
    if (!signal.aborted) deps.log.error({ err }, what)
  }
  const rounds = async () => {
    for (;;) {
      // At a random time, so that several servers do not prune together.
      await pause((every + Math.random() * every) * 1000, undefined, { signal, ref: false })
      if (await isTimeCertain(store)) await tend(deps, report)
    }
  }
  rounds().catch((err) => report(err, 'pruning ended'))
  return { stop: () => stopping.abort() }
}

/**
 * False while the clocks of this machine and of the database differ: one of them is wrong, perhaps the one by which everything expires, and what is
 * deleted does not come back. Without an answer of the database a round deletes nothing.
 */
async function isTimeCertain(store: Pick<Store, 'ping'>): Promise<boolean> {
  return (await clockError(store).catch(() => undefined)) === undefined
}

/** One round. */
export async function tend(deps: AppDeps, report: (err: unknown, what: string) => void): Promise<void> {
  await rotateWhenDue(deps).catch((err) => report(err, 'rotating keys'))
  await pruneAll(deps).catch((err) => {
    for (const one of err instanceof AggregateError ? err.errors : [err]) report(one, 'pruning')
  })
}

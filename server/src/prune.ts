import { setTimeout as pause } from 'node:timers/promises'
import type { Deps, OpenDeps } from './deps.ts'
import { rotateWhenDue } from './issuer/keys.ts'
import { pruneIssuer } from './issuer/prune.ts'
import { prune as pruneSessions } from './slices/auth/door.ts'
import { pruneDays, pruneRefusals, pruneRegistrationTokens } from './slices/clients/door.ts'
import { pruneInvitations } from './slices/developers/door.ts'
import { prune as prunePictures } from './slices/media/door.ts'
import { carryOutDeletions, pruneArchives } from './slices/privacy/door.ts'
import { prune as pruneSecurity } from './slices/security/door.ts'

/** Seconds between two rounds, and rows a step: small ones, so that nobody waits long for the one writer. */
const EVERY = 600
const STEP = 500

type Prune = (deps: Deps, most: number) => Promise<number>
/** For what has files, too, or takes a transaction for each. */
type OpenPrune = (deps: OpenDeps, most: number) => Promise<number>

/** Deletes what has expired, in all slices; answers how many rows went. */
export async function pruneAll(deps: OpenDeps): Promise<number> {
  let pruned = await pruneIssuer(deps)
  const rounds: Prune[] = [
    pruneSessions,
    pruneSecurity,
    pruneDays,
    pruneRefusals,
    pruneInvitations,
    pruneRegistrationTokens,
  ]
  for (const prune of rounds) {
    for (let step = STEP; step >= STEP; pruned += step) step = await deps.transaction((tx) => prune(tx, STEP))
  }
  for (const prune of [prunePictures, pruneArchives, carryOutDeletions] satisfies OpenPrune[]) {
    for (let step = STEP; step >= STEP; pruned += step) step = await prune(deps, STEP)
  }
  return pruned
}

/** Does so, and hands over to new keys when it is time, again and again until told to stop; a round that fails is told of and tried again. */
export function startPruning(deps: OpenDeps): { stop(): void } {
  const stopping = new AbortController()
  const { signal } = stopping
  const rounds = async () => {
    for (;;) {
      // At a time of its own, so that several servers do not all prune at once.
      await pause((EVERY + Math.random() * EVERY) * 1000, undefined, { signal, ref: false })
      await rotateWhenDue(deps).catch((err) => deps.log.error({ err }, 'rotating keys'))
      await pruneAll(deps).catch((err) => deps.log.error({ err }, 'pruning'))
    }
  }
  rounds().catch((err) => {
    if (!signal.aborted) deps.log.error({ err }, 'pruning ended')
  })
  return { stop: () => stopping.abort() }
}

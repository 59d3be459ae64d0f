import { enqueue, type JobQueueDeps } from './jobs.ts'
import type { JobHandler } from './runner.ts'

/** Milliseconds after which other jobs have their turn. */
const TURN = 1000

type Deps = { transaction(work: (tx: JobQueueDeps) => Promise<unknown>): Promise<unknown> }

/**
 * Handles a job that works for some milliseconds at a time. `work` resolves with the payload of the next turn, which is queued, or with
 * undefined when nothing is left.
 */
export function jobInTurns<Payload extends object>(
  deps: Deps,
  kind: string,
  work: (payload: Payload, milliseconds: number) => Promise<Payload | undefined>,
): JobHandler {
  return async (payload) => {
    const rest = await work(payload as Payload, TURN)
    if (rest) await deps.transaction((tx) => enqueue(tx, kind, rest))
  }
}

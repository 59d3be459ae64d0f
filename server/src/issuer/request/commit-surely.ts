import { setTimeout as pause } from 'node:timers/promises'
import { isOutcomeUnknown } from '../../db/dialect.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

/** Milliseconds between attempts. */
const PAUSE = 100

/** Whether a commit took place was not known in time. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown'
  readonly code = 'NO_ANSWER'
}

/**
 * Commits, and when the connection breaks before the outcome is known, commits again until `until` (`performance.now()`). The writes must
 * be such that they take place only once: then a second attempt fails where the first did not, and `isCommitted` detects it (decision 0035).
 */
export async function commitSurely(
  commit: () => Promise<void>,
  isCommitted: () => Promise<boolean>,
  until: number,
): Promise<void> {
  try {
    await commit()
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    await commitAgain(commit, isCommitted, until, error)
  }
}

async function commitAgain(
  commit: () => Promise<void>,
  isCommitted: () => Promise<boolean>,
  until: number,
  first: unknown,
): Promise<void> {
  let cause = first
  let isRefused = false
  while (performance.now() + PAUSE < until) {
    await pause(PAUSE)
    try {
      if (await isCommitted()) return
      if (!isRefused) return await commit()
    } catch (error) {
      cause = error
      isRefused = !isDatabaseUnavailable(error)
      continue
    }
    throw cause
  }
  throw new CommitUnknown('It is unknown whether the database has committed', { cause })
}

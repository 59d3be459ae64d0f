import type { policy } from '@vrata/contract'
import { jobInTurns } from '../../adapters/jobs/job-in-turns.ts'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import { smallStepsFor } from '../../db/transactions/small-steps.ts'
import { fromTime, timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { type SessionEnds, shortenSessions } from './store.ts'

/** The job that shortens some of the open sessions, and queues itself for the others. */
export const SHORTEN_SESSIONS_JOB = 'shorten_sessions'

/** `changed_at`: when the policy was changed. Jobs of former versions lack it. */
type ShortenSessions = SessionEnds & { after: string; changed_at?: string }

/** Seconds of a day. */
const DAY = 24 * 60 * 60

/**
 * Seconds after which no session gets the former periods any more: the transaction of the change and one that opens or refreshes a session may each
 * take ten seconds, and servers know the former policy for half a second (decision 0107).
 */
const SETTLED = 30

/**
 * Listens to `policy_changed`: sessions that are open end after the new periods, counted from now, at the latest. The shortest period is a
 * day, so there is time to wait for sessions that still get the former periods, and to write all in the background (decision 0092).
 */
export async function onPolicyChanged(
  deps: TransactionDeps,
  { before, after }: Events['policy_changed'],
): Promise<void> {
  if (after.session_idle_days >= before.session_idle_days && after.session_max_days >= before.session_max_days) return
  const now = deps.clock.now()
  const ends: ShortenSessions = {
    idle_until: timeAfter(now, after.session_idle_days * DAY),
    expires_at: timeAfter(now, after.session_max_days * DAY),
    after: '',
    changed_at: toTime(now),
  }
  await enqueue(deps, SHORTEN_SESSIONS_JOB, ends, { run_at: timeAfter(now, SETTLED) })
}

/** The job that shortens sessions to what a new policy allows, in turns. */
export function shortenSessionsJob(deps: AppDeps): JobHandler {
  return jobInTurns(deps, SHORTEN_SESSIONS_JOB, async (job: ShortenSessions, milliseconds) => {
    let { after } = job
    const { complete } = await smallStepsFor(deps.db, milliseconds, async (most) => {
      const now = toTime(deps.clock.now())
      const ends = endsUnder(await deps.policy.find(deps.db), job)
      const ids = await deps.transaction(({ db }) => shortenSessions(db, { ...ends, now, after }, most))
      after = ids.at(-1) ?? after
      return ids.length
    })
    return complete ? undefined : { ...job, after }
  })
}

/** The ends of the change; later ones where the policy allows longer sessions again, as once a mistyped period is put right. */
function endsUnder(
  { session_idle_days, session_max_days }: policy.Policy,
  { changed_at, idle_until, expires_at }: ShortenSessions,
): SessionEnds {
  if (changed_at === undefined) return { idle_until, expires_at }
  const later = (end: string, days: number) => {
    const allowed = timeAfter(fromTime(changed_at), days * DAY)
    return allowed > end ? allowed : end
  }
  return { idle_until: later(idle_until, session_idle_days), expires_at: later(expires_at, session_max_days) }
}

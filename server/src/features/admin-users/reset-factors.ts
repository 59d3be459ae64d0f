import {
  type activity,
  type adminUsers,
  type InputOf,
  LIFETIMES,
  needsPasskeyLink,
  paths,
  problem,
} from '@vrata/contract'
import { findJob } from '../../adapters/jobs/job-list.ts'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import { MAIL_JOB, queueMail } from '../../adapters/mail/mail.ts'
import type { ReadDb } from '../../db/open.ts'
import { fromTime, timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { hashToken, newId, newToken } from '../../lib/ids.ts'
import { required } from '../../revocation/revocations.ts'
import type { Revoker } from '../../revocation/revoke.ts'
import { accountDisabled, findUserForUpdate, greetingName, localeOf, type User } from '../account/public.ts'
import { sendPasskeyLink } from '../account-invitations/public.ts'
import { recordActivity } from '../activity/public.ts'
import { hasAnyFactor } from '../security/public.ts'
import * as store from './factor-reset-store.ts'
import { getAdminUser } from './list-people.ts'
import { finish, type Helper, lockPerson, MAIL_PAUSE, recordPersonChange, requireAdmin } from './person-changes.ts'

/** Kind of the job that removes second factor and passkeys after the wait. */
export const RESET_FACTORS_JOB = 'reset_factors'
/** `mail`: the job that mails the person. Those of former versions have the id alone. */
type ResetFactorsJob = { id: string; due_at?: string; mail?: string }

/** Seconds by which the mail may be late without the person having more time. */
const LATE = 60 * 60

/**
 * Requests the removal of second factor and passkeys, which the person can stop for 24 hours; `immediately` removes them now.
 * A waiting one is not replaced, so that nobody shortens the time or voids the link (operators §2).
 */
export async function resetFactors(
  deps: TransactionDeps,
  actor: Helper,
  { id, reason, immediately = false }: InputOf<typeof adminUsers.resetFactors>,
) {
  if (immediately) requireAdmin(actor)
  const user = await lockPerson(deps, actor, id)
  if (user.disabled_at !== null) throw accountDisabled(user)
  if (!(await hasAnyFactor(deps, id))) throw problem('no_factors')
  if (immediately) {
    await store.consumeWaitingReset(deps.db, id, { ended_as: 'done', ended_at: toTime(deps.clock.now()) })
    await removeFactors(deps, user)
    return await finish(deps, actor, user, 'user.factors_reset', { reason: [null, reason] })
  }
  if (await store.findWaitingReset(deps.db, id)) throw problem('factor_reset_waiting')
  const due_at = await insertReset(deps, actor, user, reason)
  return await finish(deps, actor, user, 'user.factor_reset_requested', {
    reason: [null, reason],
    due_at: [null, due_at],
  })
}

async function insertReset(deps: TransactionDeps, actor: Helper, user: User, reason: string): Promise<string> {
  const now = deps.clock.now()
  const token = newToken()
  const due_at = timeAfter(now, LIFETIMES.factor_reset)
  const id = newId(deps.clock)
  await store.insertFactorReset(deps.db, {
    id,
    user_id: user.id,
    token_hash: hashToken(token),
    reason,
    requested_by: 'command' in actor ? null : actor.user_id,
    requested_by_command: 'command' in actor ? actor.command : null,
    requested_at: toTime(now),
    due_at,
    ended_as: null,
    ended_at: null,
  })
  const mail = await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'factor_reset',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.keepFactors(token)}` },
    expires_at: due_at,
  })
  await enqueue(deps, RESET_FACTORS_JOB, { id, due_at, mail } satisfies ResetFactorsJob, { run_at: due_at })
  return due_at
}

/** Cancels a waiting removal. Without one nothing changes. */
export async function cancelFactorReset(
  deps: TransactionDeps,
  actor: Helper,
  { id }: InputOf<typeof adminUsers.cancelFactorReset>,
) {
  const user = await lockPerson(deps, actor, id)
  const end = { ended_as: 'canceled', ended_at: toTime(deps.clock.now()) } as const
  if (!(await store.consumeWaitingReset(deps.db, id, end))) return await getAdminUser(deps, actor, { id })
  return await finish(deps, actor, user, 'user.factor_reset_canceled')
}

/** Describes the removal of a mailed link. Stops nothing, because mail programs open links (security §18.4). */
export async function checkFactorReset(
  deps: Pick<AppDeps, 'db'>,
  _: AnonymousActor,
  { token }: InputOf<typeof adminUsers.checkFactorReset>,
): Promise<adminUsers.FactorResetState> {
  const row = await store.findFactorReset(deps.db, { token_hash: hashToken(token) })
  if (!row) throw problem('invalid_token')
  return { state: stateOf(row), due_at: row.due_at }
}

function stateOf({ ended_as }: Pick<store.FactorResetRow, 'ended_as'>): adminUsers.FactorResetState['state'] {
  if (ended_as === null) return 'waiting'
  return ended_as === 'done' ? 'done' : 'stopped'
}

/** Stops a removal by its mailed link, once. The link says who acts, so no sign-in is needed: the person cannot sign in. */
export async function keepFactors(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  { token }: InputOf<typeof adminUsers.keepFactors>,
): Promise<adminUsers.FactorResetState> {
  const row = await store.findFactorReset(deps.db, { token_hash: hashToken(token) })
  const user = row && (await findUserForUpdate(deps.db, row.user_id))
  const end = { ended_as: 'stopped', ended_at: toTime(deps.clock.now()) } as const
  if (!row || !user || !(await store.consumeFactorReset(deps.db, row.id, end))) throw problem('invalid_token')
  const type: activity.ActivityType = 'STOPPED_FACTOR_RESET'
  await recordActivity(deps, { type, user_id: user.id, from: visitor, session_id: null })
  return { state: 'stopped', due_at: row.due_at }
}

/** Removes second factor and passkeys when the wait has ended and neither the person nor an operator has stopped it. */
export function resetFactorsJob(app: AppDeps): JobHandler {
  return async (payload) => {
    const job = payload as ResetFactorsJob
    const row = await store.findFactorReset(app.db, { id: job.id })
    if (!row) return
    await app.transaction(async (deps) => {
      // Locks the user first, as every change of the account.
      const user = await findUserForUpdate(deps.db, row.user_id)
      if (user) await endReset(deps, user, job)
    })
  }
}

/** The mail is what protects the person: the wait counts from one that was late, and ends without one. */
async function endReset(deps: TransactionDeps, user: User, job: ResetFactorsJob): Promise<void> {
  const { id } = job
  const now = toTime(deps.clock.now())
  const row = await store.findFactorReset(deps.db, { id })
  // This job has postponed it, and runs again.
  if (!row || (job.due_at ?? row.due_at) !== row.due_at) return
  const sent_at = job.mail === undefined ? row.requested_at : await findSentAt(deps.db, job.mail)
  if (sent_at === null) return await cancelUnsent(deps, user, id)
  const due_at = timeAfter(fromTime(sent_at), LIFETIMES.factor_reset)
  const isLate = sent_at > timeAfter(fromTime(row.requested_at), LATE)
  if (isLate && due_at > now) {
    if (await store.updateDueAt(deps.db, id, due_at))
      await enqueue(deps, RESET_FACTORS_JOB, { ...job, due_at } satisfies ResetFactorsJob, { run_at: due_at })
    return
  }
  if (!(await store.consumeFactorReset(deps.db, id, { ended_as: 'done', ended_at: now }))) return
  await removeFactors(deps, user)
  await recordPersonChange(deps, 'system', user, 'user.factors_reset', { reason: [null, row.reason] })
}

async function cancelUnsent(deps: TransactionDeps, user: User, id: string): Promise<void> {
  const end = { ended_as: 'void', ended_at: toTime(deps.clock.now()) } as const
  if (await store.consumeFactorReset(deps.db, id, end))
    await recordPersonChange(deps, 'system', user, 'user.factor_reset_canceled', { mail_sent: [null, false] })
}

/** When the mail of a job was sent; null when it was not. */
async function findSentAt(db: ReadDb, id: string): Promise<string | null> {
  return (await findJob(db, MAIL_JOB, id))?.done_at ?? null
}

/** Mails the link to a new passkey to a person who would have no way to sign in, and the news alone to others. */
async function removeFactors(deps: TransactionDeps, user: User): Promise<void> {
  const ways = await deps.policy.findForShare(deps.db)
  await deps.revoke('factors_reset', { user_id: user.id })
  if (needsPasskeyLink(ways, user.password_hash !== null)) {
    if (!(await sendPasskeyLink(deps, user))) throw problem('too_many_requests', { retry_after: MAIL_PAUSE })
    return
  }
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'factors_reset',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.security}` },
  })
}

export const revokeFactorResets: Revoker = async (deps, revocation) => {
  const end = { ended_as: 'void', ended_at: toTime(deps.clock.now()) } as const
  await store.consumeWaitingReset(deps.db, required(revocation.user_id, revocation), end)
}

/** Seconds for which an ended removal is kept, so that its link shows the outcome. */
const RETENTION = 30 * 24 * 60 * 60

/** Deletes up to `limit` old removals of second factors, and returns how many. */
export async function pruneFactorResets(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteOldResets(deps.db, timeAfter(deps.clock.now(), -RETENTION), limit)
}

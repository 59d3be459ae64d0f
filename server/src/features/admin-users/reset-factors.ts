import {
  type activity,
  type adminUsers,
  type InputOf,
  LIFETIMES,
  needsPasskeyLink,
  paths,
  problem,
} from '@vrata/contract'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import { queueMail } from '../../adapters/mail/mail.ts'
import { timeAfter, toTime } from '../../db/values.ts'
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
  await enqueue(deps, RESET_FACTORS_JOB, { id }, { run_at: due_at })
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'factor_reset',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.keepFactors(token)}` },
    expires_at: due_at,
  })
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

/** Removes second factor and passkeys when the wait has ended and nobody has stopped it. */
export function resetFactorsJob(app: AppDeps): JobHandler {
  return async (payload) => {
    const { id } = payload as { id: string }
    const row = await store.findFactorReset(app.db, { id })
    if (!row) return
    await app.transaction(async (deps) => {
      // Locks the user first, as every change of the account.
      const user = await findUserForUpdate(deps.db, row.user_id)
      const end = { ended_as: 'done', ended_at: toTime(deps.clock.now()) } as const
      if (!user || !(await store.consumeFactorReset(deps.db, id, end))) return
      await removeFactors(deps, user)
      await recordPersonChange(deps, 'system', user, 'user.factors_reset', { reason: [null, row.reason] })
    })
  }
}

/** Mails the link to a new passkey to a person who would have no way to sign in, and the news alone to others. */
async function removeFactors(deps: TransactionDeps, user: User): Promise<void> {
  const ways = await deps.policy.hold(deps.db)
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

/** Seconds for which an ended one is kept, so that its link tells what has happened. */
const RETENTION = 30 * 24 * 60 * 60

/** Deletes up to `limit` old removals of second factors, and returns how many. */
export async function pruneFactorResets(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteOldResets(deps.db, timeAfter(deps.clock.now(), -RETENTION), limit)
}

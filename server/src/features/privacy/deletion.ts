import { type InputOf, LIFETIMES, paths, type privacy, problem } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { requireFreshSignIn } from '../../http/guards/request-guards.ts'
import type { Listener } from '../../listeners.ts'
import {
  findUser,
  findUserForUpdate,
  greetingName,
  hasSamePassword,
  localeOf,
  mailFacts,
  type User,
} from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { countConnections, disconnectAll } from '../connections/public.ts'
import { listOwnerships, listOwnershipsForUpdate, type Ownership } from '../members/public.ts'
import { requireOtherAdmin } from '../operators/public.ts'
import { clearFailures, queueNotice, throttleKey, verifyPassword } from '../security/public.ts'
import { clearSessionCookies, findLiveSessionIds } from '../sessions/public.ts'
import * as store from './store.ts'

/** Data that the deletion would delete and keep, and developer accounts that prevent it (api §3.10). */
export async function previewDeletion(deps: Pick<AppDeps, 'db' | 'clock'>, actor: UserActor) {
  const now = deps.clock.now()
  const [sessions, connections, ownerships] = await Promise.all([
    findLiveSessionIds(deps.db, actor.user_id, now),
    countConnections(deps.db, actor.user_id),
    listOwnerships(deps.db, actor.user_id),
  ])
  const withRole = (role: Ownership['role']) => ownerships.filter((one) => one.role === role)
  return {
    due_at: timeAfter(now, LIFETIMES.deletion),
    sessions: sessions.size,
    connections,
    organizations_deleted: withRole('alone'),
    organizations_left: withRole('free'),
    organizations_without_owner: withRole('only_owner'),
  }
}

/** Ends all sessions and grants now, and schedules the deletion in 14 days. A sign-in before then cancels it (api §3.10). */
export async function deleteAccount(
  app: AppDeps,
  actor: UserActor,
  { password }: InputOf<typeof privacy.deleteAccount>,
): Promise<{ due_at: string }> {
  const verified = await verifyActor(app, actor, password)
  return await app.transaction(async (deps) => {
    const user = await findUserForUpdate(deps.db, actor.user_id)
    if (!user) throw problem('unauthenticated')
    if (verified) await clearFailures(deps, verified.key)
    // The password was changed while it was being verified.
    if (verified && !hasSamePassword(user, verified.user)) throw wrongPassword()
    return await beginDeletion(deps, actor, user)
  })
}

async function verifyActor(app: AppDeps, actor: UserActor, password: string | undefined) {
  if (password === undefined) {
    requireFreshSignIn(app, actor)
    return undefined
  }
  const user = await findUser(app.db, actor.user_id)
  const key = throttleKey.session(actor.user_id)
  const valid = await verifyPassword(app, { key, hash: user?.password_hash, password }, actor)
  if (!user || !valid) throw wrongPassword()
  return { key, user }
}

function wrongPassword() {
  return problem('invalid_password', { fields: { password: 'wrong' } })
}

async function beginDeletion(deps: TransactionDeps, actor: UserActor, user: User): Promise<{ due_at: string }> {
  const due_at = await scheduleDeletion(deps, user)
  // A concurrent request has scheduled it and ended this session.
  if (due_at === undefined) throw problem('unauthenticated')
  await recordActivity(deps, { type: 'BEGAN_DELETION', user_id: user.id, from: actor, session_id: actor.session_id })
  clearSessionCookies(actor)
  const locale = localeOf(user)
  await queueNotice(deps, user, {
    to: user.email,
    locale,
    template: 'deletion_begun',
    values: {
      name: greetingName(user),
      link: `${deps.config.url}${paths.login()}`,
      when: due_at,
      ...(await mailFacts(deps, locale, actor)),
    },
  })
  return { due_at }
}

/**
 * Schedules the deletion of a locked user in 14 days and ends everything that is open. Returns its time, or undefined when it
 * is scheduled already. Throws `last_owner` and `last_operator`.
 */
export async function scheduleDeletion(deps: TransactionDeps, user: User): Promise<string | undefined> {
  const orphaned = (await listOwnershipsForUpdate(deps.db, user.id)).filter(({ role }) => role === 'only_owner')
  if (orphaned.length > 0) {
    throw problem('last_owner', { params: { organizations: orphaned.map(({ name }) => name).join(', ') } })
  }
  await requireOtherAdmin(deps, user.id)
  const now = deps.clock.now()
  const due_at = timeAfter(now, LIFETIMES.deletion)
  const row = { user_id: user.id, requested_at: toTime(now), due_at }
  if (!(await store.insertDeletion(deps.db, row))) return undefined
  await disconnectAll(deps, user.id)
  await deps.revoke('deletion_requested', { user_id: user.id })
  return due_at
}

/** Cancels a scheduled deletion. Returns false when none is scheduled. */
export async function cancelDeletion(deps: TransactionDeps, user_id: string): Promise<boolean> {
  if (!(await store.deleteDeletion(deps.db, user_id))) return false
  await deps.revoke('deletion_canceled', { user_id })
  return true
}

/** Cancels a scheduled deletion when the user signs in. */
export const onSignedIn: Listener<'signed_in'> = async (deps, { user_id, from }) => {
  if (!(await cancelDeletion(deps, user_id))) return
  const user = await findUser(deps.db, user_id)
  if (!user) return
  await recordActivity(deps, { type: 'UNDID_DELETION', user_id, from, session_id: null })
  const locale = localeOf(user)
  await queueNotice(deps, user, {
    to: user.email,
    locale,
    template: 'deletion_undone',
    values: {
      name: greetingName(user),
      link: `${deps.config.url}${paths.home}`,
      ...(await mailFacts(deps, locale, from)),
    },
  })
}

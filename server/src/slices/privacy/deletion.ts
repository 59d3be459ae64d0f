import { type InputOf, LIFETIMES, type privacy, problem } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps, ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { isFresh } from '../../edge/fence.ts'
import type { Listener } from '../../events.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { findUser, localeOf, lockUser, type User } from '../account/door.ts'
import { record } from '../activity/door.ts'
import { endSessions, liveSessionsOf, signOut } from '../auth/door.ts'
import { countConnections, endConnectionsOf } from '../connections/door.ts'
import { lockStandings, type Standing, standings } from '../developers/door.ts'
import { forgetFailures, guessKey, provePassword } from '../security/door.ts'
import * as store from './store.ts'

/** What goes, what stays, what stands in the way; asked before anybody is asked for a password. */
export async function previewDeletion(deps: ReadDeps, actor: Person) {
  const now = deps.clock.now()
  const [sessions, connections, organisations] = await Promise.all([
    liveSessionsOf(deps.db, actor.user_id, now),
    countConnections(deps.db, actor.user_id),
    standings(deps.db, actor.user_id),
  ])
  const those = (role: Standing['role']) => organisations.filter((one) => one.role === role)
  return {
    due_at: timeAfter(now, LIFETIMES.deletion),
    sessions: sessions.size,
    connections,
    organisations_deleted: those('alone'),
    organisations_left: those('free'),
    organisations_without_owner: those('only_owner'),
  }
}

/**
 * api.md §3: DELETE /account/. Nobody is signed in and no app is let in any more; fourteen days later the account is
 * gone, unless somebody signs in before.
 */
export async function deleteAccount(
  open: OpenDeps,
  actor: Person,
  { password }: InputOf<typeof privacy.deleteAccount>,
): Promise<{ due_at: string }> {
  const proven = await proof(open, actor, password)
  return await open.transaction(async (deps) => {
    if (proven) await forgetFailures(deps, proven.key)
    const user = await lockUser(deps.db, actor.user_id)
    if (!user) throw problem('unauthenticated')
    // Changed while it was being verified: what was proven is not the password any more.
    if (proven && user.password_hash !== proven.hash) throw wrongPassword()
    return await begin(deps, actor, user)
  })
}

async function proof(open: OpenDeps, actor: Person, password: string | undefined) {
  if (password === undefined) {
    if (!isFresh(open.clock, actor)) throw problem('reauthentication_required')
    return undefined
  }
  const user = await findUser(open.db, actor.user_id)
  const key = guessKey.session(actor.user_id)
  const hash = user?.password_hash
  if (!(await provePassword(open, { key, hash, password })) || !hash) throw wrongPassword()
  return { key, hash }
}

function wrongPassword() {
  return problem('invalid_password', { fields: { password: 'wrong' } })
}

async function begin(deps: Deps, actor: Person, user: User): Promise<{ due_at: string }> {
  const orphaned = (await lockStandings(deps.db, user.id)).filter(({ role }) => role === 'only_owner')
  if (orphaned.length > 0) {
    throw problem('last_owner', { params: { organisations: orphaned.map(({ name }) => name).join(', ') } })
  }
  const now = deps.clock.now()
  const due_at = timeAfter(now, LIFETIMES.deletion)
  const row = { user_id: user.id, requested_at: toTime(now), due_at }
  // Another tab was faster; it has ended this session, too.
  if (!(await store.insertDeletion(deps.db, row))) throw problem('unauthenticated')
  await record(deps, { type: 'BEGAN_DELETION', user_id: user.id, from: actor, session_id: actor.session_id })
  await endConnectionsOf(deps, user.id)
  await endSessions(deps, user.id, 'all')
  signOut(actor)
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'deletion_begun',
    values: { name: user.first_name, link: `${deps.config.url}/login`, when: due_at },
  })
  return { due_at }
}

/** Listens to slice auth: whoever signs in wants to stay. */
export const onSignedIn: Listener<'signed_in'> = async (deps, { user_id, from }) => {
  if (!(await store.deleteDeletion(deps.db, user_id))) return
  const user = await findUser(deps.db, user_id)
  if (!user) return
  await record(deps, { type: 'UNDID_DELETION', user_id, from, session_id: null })
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'deletion_undone',
    values: { name: user.first_name, link: `${deps.config.url}/home` },
  })
}

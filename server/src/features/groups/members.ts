import { type AnswerOf, type groups, type InputOf, problem } from '@vrata/contract'
import { sql } from 'kysely'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { batches, inBatches } from '../../lib/batches.ts'
import { accountSearchWords, findUserForUpdate, selectUsersForUpdate, updateUserGroups } from '../account/public.ts'
import { isInvited } from '../account-invitations/public.ts'
import { recordActivities } from '../activity/public.ts'
import { type AuditActor, type NewAuditEvent, recordAuditEvents } from '../audit/public.ts'
import { groupKeys } from './group-keys-store.ts'
import * as store from './store.ts'

/** Lists one page of the members of a group, newest account first (operators §5). */
export async function listGroupMembers(
  deps: Pick<AppDeps, 'db'>,
  _: OperatorActor,
  { key, query = '', cursor, limit }: InputOf<typeof groups.listGroupMembers>,
): Promise<AnswerOf<typeof groups.listGroupMembers>> {
  if (!(await store.findGroup(deps.db, key))) throw problem('not_found')
  const selection = { group_key: key, words: accountSearchWords(query) }
  const rows = await store.listMembers(deps.db, selection, { after: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { data: page.map(toMember), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** Adds a user to a group; adding a member again changes nothing. Throws `not_found`. */
export async function addGroupMember(
  deps: TransactionDeps,
  actor: OperatorActor,
  { key, user_id }: InputOf<typeof groups.addGroupMember>,
): Promise<groups.GroupMember> {
  await addToGroup(deps, actor, { key, user_id })
  const [row] = await store.listMembers(deps.db, { group_key: key, words: [], user_id }, { after: undefined, limit: 1 })
  if (!row) throw problem('not_found')
  return toMember(row)
}

/**
 * Adds a user to a group, for an operator or a command; a member stays one. Throws `not_found` for an unknown group and, with the
 * field `user_id`, for an unknown user. Throws `email_not_verified` where a stranger may have registered the address: with a confirmed one of their
 * own, they would keep the group that was meant for another person.
 */
export async function addToGroup(
  deps: TransactionDeps,
  actor: AuditActor,
  { key, user_id }: { key: string; user_id: string },
): Promise<void> {
  if (!(await store.findGroupForUpdate(deps.db, key))) throw problem('not_found')
  const user = await findUserForUpdate(deps.db, user_id)
  if (!user) throw problem('not_found', { fields: { user_id: 'wrong' } })
  if (user.email_verified_at === null && !isInvited(user))
    throw problem('email_not_verified', { message: 'Anybody may have registered this address: it is not confirmed.' })
  recordAuditEvents(deps, actor, await writeMembers(deps, { key, user_ids: [user_id] }))
}

/** Inserts members of a group that the caller has locked with the users. Returns the events that the caller records; none for who is one already. */
export async function writeMembers(
  deps: TransactionDeps,
  { key, user_ids }: { key: string; user_ids: readonly string[] },
): Promise<NewAuditEvent[]> {
  const added_at = toTime(deps.clock.now())
  const added = await inBatches(user_ids, (some) =>
    store.insertMembers(
      deps.db,
      some.map((user_id) => ({ group_key: key, user_id, added_at })),
    ),
  )
  if (added.length === 0) return []
  for (const some of batches(added)) await writeGroups(deps, some)
  await recordForPeople(deps, 'OPERATOR_ADDED_TO_GROUP', added)
  await deps.emit('group_changed', { key, user_ids: added, by: 'group_joined' })
  return added.map((user_id) => membership('user.group_added', user_id, [null, key]))
}

/** Adds a user to several groups. Throws `invalid_request` with the field `groups` for an unknown one. */
export async function addToGroups(
  deps: TransactionDeps,
  actor: AuditActor,
  { keys, user_id }: { keys: readonly string[]; user_id: string },
): Promise<void> {
  // All are locked before the first event is recorded, because transactions that record events wait for each other.
  for (const key of keys.toSorted())
    if (!(await store.findGroupForUpdate(deps.db, key)))
      throw problem('invalid_request', { fields: { groups: 'unknown' } })
  for (const key of keys) await addToGroup(deps, actor, { key, user_id })
}

/** Takes a user from a group, and with it the clients that only this group opens. Throws `not_found`. */
export async function removeGroupMember(
  deps: TransactionDeps,
  actor: OperatorActor,
  input: InputOf<typeof groups.removeGroupMember>,
): Promise<Record<string, never>> {
  const { key, user_id } = input
  if (!(await store.findGroupForUpdate(deps.db, key))) throw problem('not_found')
  if (!(await store.isMember(deps.db, key, user_id))) throw problem('not_found')
  recordAuditEvents(deps, actor, await removeMembers(deps, { key, user_ids: [user_id] }))
  return {}
}

/** Deletes members of a group that the caller has locked. Returns the events that the caller records. */
export async function removeMembers(
  deps: TransactionDeps,
  { key, user_ids }: { key: string; user_ids: readonly string[] },
): Promise<NewAuditEvent[]> {
  for (const some of batches(user_ids)) await removeFromUsers(deps, some, () => store.deleteMembers(deps.db, key, some))
  if (user_ids.length > 0) await deps.emit('group_changed', { key, user_ids, by: 'group_left' })
  return user_ids.map((user_id) => membership('user.group_removed', user_id, [key, null]))
}

/**
 * Takes a group from users: `take` deletes the rows while the users are locked. The caller has locked the group, and records the event.
 */
export async function removeFromUsers(
  deps: TransactionDeps,
  user_ids: readonly string[],
  take: () => Promise<void>,
): Promise<void> {
  await selectUsersForUpdate(deps.db, user_ids)
  await take()
  await writeGroups(deps, user_ids)
  await recordForPeople(deps, 'OPERATOR_REMOVED_FROM_GROUP', user_ids)
}

/** The keys are also a column of the user, so that claims need no further read. */
async function writeGroups({ db }: Pick<TransactionDeps, 'db'>, user_ids: readonly string[]): Promise<void> {
  await updateUserGroups(db, user_ids, groupKeys(sql.ref('users.id')))
}

/** Without the browser and address of the operator, which are not the person's. */
async function recordForPeople(
  deps: TransactionDeps,
  type: 'OPERATOR_ADDED_TO_GROUP' | 'OPERATOR_REMOVED_FROM_GROUP',
  user_ids: readonly string[],
): Promise<void> {
  await recordActivities(
    deps,
    user_ids.map((user_id) => ({ type, user_id, from: null, session_id: null })),
  )
}

function membership(
  type: 'user.group_added' | 'user.group_removed',
  user_id: string,
  group: [string | null, string | null],
): NewAuditEvent {
  return { type, subject: { kind: 'user', id: user_id }, changes: { group } }
}

function toMember({ added_at, ...user }: store.MemberRow): groups.GroupMember {
  return { user, added_at }
}

import { type audit, type clientAccess, type InputOf, problem } from '@vrata/contract'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findUser, findUsersByEmail } from '../account/public.ts'
import type { NewAuditEvent } from '../audit/public.ts'
import { findOwnClient, findOwnClientForUpdate, selectClientsForUpdate } from '../clients/public.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { findExistingGroupsForShare } from '../groups/public.ts'
import * as store from './store.ts'

/** Returns who may use a client of the actor's developer account (operators §10). */
export async function getAccess(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  { id }: InputOf<typeof clientAccess.getAccess>,
): Promise<clientAccess.Access> {
  await findOwnClient(deps, actor, id)
  return await store.findAccess(deps.db, id)
}

/** Sets who may use a client of the actor's developer account. */
export async function setAccess(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, ...wanted }: InputOf<typeof clientAccess.setAccess>,
): Promise<clientAccess.Access> {
  // Groups before clients: the order in which a group is deleted.
  await findExistingGroupsForShare(deps.db, wanted.groups)
  const { name } = await findOwnClientForUpdate(deps, actor, id)
  const change = await replaceAccess(deps, id, wanted)
  if (!change) return await store.findAccess(deps.db, id)
  const params = { client_id: id, name, mode: change.after.mode }
  await recordDeveloperActivity(deps, actor, 'CHANGED_APP_ACCESS', params, { changes: await changesOf(deps, change) })
  return change.after
}

/**
 * Sets who may use a client, for operators. Returns the event that the caller records; undefined without a change. Throws `not_found`, and
 * `invalid_request` with fields below the path `at`.
 */
export async function writeAccess(
  deps: TransactionDeps,
  client_id: string,
  wanted: clientAccess.Access,
  at: string,
): Promise<NewAuditEvent | undefined> {
  const change = await replaceAccess(deps, client_id, wanted, at)
  const subject = { kind: 'client', id: client_id }
  return change && { type: 'client.access_changed', subject, changes: await changesOf(deps, change) }
}

type Change = { before: clientAccess.Access; after: clientAccess.Access }

/** Undefined when nothing changes. Users who lose the client lose their tokens and codes of it in this transaction. */
async function replaceAccess(
  deps: TransactionDeps,
  client_id: string,
  wanted: clientAccess.Access,
  at = '',
): Promise<Change | undefined> {
  assertLists(wanted, at)
  const { mode } = wanted
  const after = { mode, groups: sorted(wanted.groups), people: sorted(wanted.people) }
  // Against deletion, before the client is locked: the order in which a group is deleted.
  const existing = await findExistingGroupsForShare(deps.db, after.groups)
  if (existing.length < after.groups.length)
    throw problem('invalid_request', { fields: { [`${at}groups`]: 'unknown' } })
  if ((await selectClientsForUpdate(deps.db, [client_id])).length === 0) throw problem('not_found')
  const before = await store.findAccess(deps.db, client_id)
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  await store.replaceAccess(deps.db, client_id, after)
  await deps.emit('access_changed', { client_id, by: 'app_access_changed' })
  return { before, after }
}

/** The list of the mode has entries, and the other one none. */
function assertLists({ mode, groups, people }: clientAccess.Access, at: string): void {
  for (const [name, list] of [
    ['groups', groups],
    ['people', people],
  ] as const) {
    if (mode === name && list.length === 0) throw problem('invalid_request', { fields: { [at + name]: 'required' } })
    if (mode !== name && list.length > 0) throw problem('invalid_request', { fields: { [at + name]: 'invalid' } })
  }
}

function sorted(list: readonly string[]): string[] {
  return [...new Set(list)].sort()
}

/** The audit log outlives accounts, so people are their ids, and addresses without an account their domains (decision 0106). */
async function changesOf({ db }: TransactionDeps, { before, after }: Change): Promise<audit.AuditChanges> {
  const users = await findUsersByEmail(db, [...new Set([...before.people, ...after.people])])
  const ids = new Map(users.map(({ email, id }) => [email, id]))
  const named = (email: string) => ids.get(email) ?? `*${email.slice(email.lastIndexOf('@'))}`
  const changes: audit.AuditChanges = {}
  for (const field of ['mode', 'groups', 'people'] as const) {
    const [from = '', to = ''] = [before, after].map((access) => {
      const values = [access[field]].flat()
      return (field === 'people' ? values.map(named) : values).join(' ')
    })
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changes[field] = [from, to]
  }
  return changes
}

/**
 * Listens to `account_deleted`: the address of the person leaves all lists, also because another person may get it. That of an
 * unconfirmed account stays, because the person who registered it may not own the address.
 */
export async function onAccountDeleted({ db }: TransactionDeps, { user_id }: Events['account_deleted']): Promise<void> {
  const user = await findUser(db, user_id)
  if (user && user.email_verified_at !== null) await store.deletePersonFromRules(db, user.email)
}

/** Listens to `group_changed`: users who lose or get the group lose or get the clients that it opens. */
export async function onGroupChanged(
  deps: TransactionDeps,
  { key, user_ids, by }: Events['group_changed'],
): Promise<void> {
  const client_ids = await selectClientsForUpdate(deps.db, await store.listClientsOfGroup(deps.db, key))
  if (by === 'group_deleted') await store.deleteGroupFromRules(deps.db, key)
  for (const client_id of client_ids)
    await deps.emit('access_changed', { client_id, ...(by === 'group_deleted' ? {} : { user_ids }), by })
}

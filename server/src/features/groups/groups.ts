import { type AnswerOf, type groups, type InputOf, LIMITS, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { type NewAuditEvent, recordAudit } from '../audit/public.ts'
import { deleteNowOrLater } from './deleted-group.ts'
import * as store from './store.ts'

/** Lists one page of the groups by key (operators §5). */
export async function listGroups(
  deps: Pick<AppDeps, 'db'>,
  _: OperatorActor,
  { query = '', cursor, limit }: InputOf<typeof groups.listGroups>,
): Promise<AnswerOf<typeof groups.listGroups>> {
  const rows = await store.listGroups(deps.db, { matching: folded(query), after: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { data: page.map(toGroup), next_cursor: rows.length > limit ? (page.at(-1)?.key ?? null) : null }
}

/** Returns a group. Throws `not_found`, also for one that is being deleted. */
export async function getGroup(
  deps: Pick<AppDeps, 'db'>,
  _: OperatorActor,
  { key }: InputOf<typeof groups.getGroup>,
): Promise<groups.Group> {
  const row = await store.findGroup(deps.db, key)
  if (!row) throw problem('not_found')
  return toGroup(row)
}

/** Creates a group without members. Throws `group_exists`. */
export async function createGroup(
  deps: TransactionDeps,
  actor: OperatorActor,
  input: InputOf<typeof groups.createGroup>,
): Promise<groups.Group> {
  await recordAudit(deps, actor, await writeNewGroup(deps, input))
  return await getGroup(deps, actor, input)
}

type Changes = Record<string, [string | number | null, string | number | null]>

/** Inserts a group. Returns the event that the caller records. Throws `limit_reached` and `group_exists`. */
export async function writeNewGroup(
  deps: TransactionDeps,
  { key, name, description = '' }: InputOf<typeof groups.createGroup>,
): Promise<NewAuditEvent> {
  await store.lockCreation(deps.db)
  if ((await store.countGroups(deps.db)) >= LIMITS.groups)
    throw problem('limit_reached', { params: { limit: LIMITS.groups, of: 'groups' } })
  const created_at = toTime(deps.clock.now())
  const row = { key, name, description, search: folded(key, name, description), created_at, deleted_at: null }
  if (!(await store.insertGroup(deps.db, row))) throw problem('group_exists', { fields: { key: 'taken' } })
  const changes = { name: [null, name], description: [null, description] } satisfies Changes
  return { type: 'group.created', subject: { kind: 'group', id: key }, changes }
}

/** Changes name and description; what is not named stays. */
export async function updateGroup(
  deps: TransactionDeps,
  actor: OperatorActor,
  input: InputOf<typeof groups.updateGroup>,
): Promise<groups.Group> {
  const event = await writeTexts(deps, input)
  if (event) await recordAudit(deps, actor, event)
  return await getGroup(deps, actor, input)
}

/** Writes name and description. Returns the event that the caller records; undefined without a change. Throws `not_found`. */
export async function writeTexts(
  deps: TransactionDeps,
  { key, ...texts }: InputOf<typeof groups.updateGroup>,
): Promise<NewAuditEvent | undefined> {
  const before = await store.findGroupForUpdate(deps.db, key)
  if (!before) throw problem('not_found')
  const { name = before.name, description = before.description } = texts
  const changes: Changes = {}
  if (name !== before.name) changes.name = [before.name, name]
  if (description !== before.description) changes.description = [before.description, description]
  if (Object.keys(changes).length === 0) return undefined
  await store.updateGroup(deps.db, key, { name, description, search: folded(key, name, description) })
  return { type: 'group.changed', subject: { kind: 'group', id: key }, changes }
}

/** Deletes a group; its members lose it, and what it opened ends. */
export async function deleteGroup(
  deps: TransactionDeps,
  actor: OperatorActor,
  { key }: InputOf<typeof groups.deleteGroup>,
): Promise<Record<string, never>> {
  const row = await store.findGroupForUpdate(deps.db, key)
  if (!row) throw problem('not_found')
  const members = Number((await store.findGroup(deps.db, key))?.members ?? 0)
  await deleteNowOrLater(deps, key)
  const changes = { name: [row.name, null], members: [members, 0] } satisfies Changes
  await recordAudit(deps, actor, { type: 'group.deleted', subject: { kind: 'group', id: key }, changes })
  return {}
}

function toGroup({ search: _, deleted_at: __, members, ...row }: store.GroupRow & { members: unknown }): groups.Group {
  return { ...row, members: Number(members) }
}

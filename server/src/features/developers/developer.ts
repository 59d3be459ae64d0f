import { type developers, type InputOf, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { actorWith, type MemberActor, type UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { findUserForUpdate } from '../account/public.ts'
import { requireFactorOfDeveloper } from '../security/public.ts'
import { updateSessionDeveloper } from '../sessions/public.ts'
import { changedFields, recordDeveloperActivity } from './activity.ts'
import { type ApprovalColumns, initialApproval, unverify } from './approval.ts'
import { deleteDeveloperWithClients } from './deletion.ts'
import {
  type DeveloperRow,
  findDeveloper,
  findDeveloperForUpdate,
  insertDeveloper,
  updateDeveloperRow,
} from './store.ts'

/**
 * Creates a developer account; requires a confirmed email address, because clients show its name (api §5). Throws
 * `organization_creation_closed` where only administrators of the installation create them.
 */
export async function createDeveloper(
  deps: TransactionDeps,
  actor: UserActor,
  input: InputOf<typeof developers.createDeveloper>,
) {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user?.email_verified_at) throw problem('email_not_verified')
  const { organization_creation } = await deps.policy.find(deps.db)
  if (organization_creation === 'operators' && !(await deps.operatorRoles.isAdmin(deps, user.id)))
    throw problem('organization_creation_closed')
  const approval = await initialApproval(deps, 'organization_creation', user.id)
  const row = await insertNewDeveloper(deps, user.id, { ...input, ...approval })
  await updateSessionDeveloper(deps.db, actor.session_id, row.id)
  await recordDeveloperActivity(deps, actorWith(actor, { developer_id: row.id }), 'CREATED_DEVELOPER', {
    name: row.name,
  })
  return toDeveloper(row, 'owner')
}

type NewDeveloper = InputOf<typeof developers.createDeveloper> & ApprovalColumns

/**
 * Creates a developer account with its owner, a locked user, for that user or a command. Throws `second_factor_required` and
 * `limit_reached`.
 */
export async function insertNewDeveloper(
  deps: TransactionDeps,
  user_id: string,
  { name, website = null, description = null, company = null, ...approval }: NewDeveloper,
): Promise<DeveloperRow> {
  await requireFactorOfDeveloper(deps, user_id)
  await requireQuota(deps, user_id)
  const created_at = toTime(deps.clock.now())
  const decided = { enabled: 1, verified: 0, limits: null, ...approval } as const
  const row: DeveloperRow = {
    id: newId(deps.clock),
    name,
    logo: null,
    website,
    description,
    company,
    created_at,
    ...decided,
    search: folded(name),
    deleted_at: null,
  }
  await insertDeveloper(deps.db, row)
  await deps.emit('developer_created', { developer_id: row.id, user_id })
  if (row.approval) await deps.emit('approval_changed', { developer_id: row.id })
  return row
}

/** Throws `limit_reached` when the user owns as many organizations as a user may. */
async function requireQuota(deps: TransactionDeps, user_id: string): Promise<void> {
  const { organizations_per_person: limit } = (await deps.policy.find(deps.db)).limits
  const owned = (await deps.memberships.list(deps.db, user_id)).filter(({ permission }) => permission === 'owner')
  if (owned.length >= limit) throw problem('limit_reached', { params: { limit, of: 'organizations' } })
}

export async function getDeveloper(deps: Pick<AppDeps, 'db'>, actor: MemberActor) {
  return toDeveloper(requireDeveloper(await findDeveloper(deps.db, actor.developer_id)), actor.permission)
}

export async function updateDeveloper(
  deps: TransactionDeps,
  actor: MemberActor,
  changes: InputOf<typeof developers.updateDeveloper>,
) {
  const row = requireDeveloper(await findDeveloperForUpdate(deps.db, actor.developer_id))
  const changed = changedFields(row, changes)
  const fields = Object.keys(changed).join(' ')
  if (fields) {
    const search = changes.name === undefined ? {} : { search: folded(changes.name) }
    const unverified = changed.name ? unverify(row) : undefined
    await updateDeveloperRow(deps.db, row.id, { ...changes, ...search, ...unverified?.columns })
    const audited = { changes: { ...changed, ...unverified?.changes } }
    await recordDeveloperActivity(deps, actor, 'EDITED_DEVELOPER', { name: row.name, fields }, audited)
  }
  return toDeveloper({ ...row, ...changes }, actor.permission)
}

/**
 * Deletes the developer account with its clients. Sessions that have it as current developer stay: a current developer
 * of which the user is not a member counts as unknown, and ids are never reused.
 */
export async function deleteDeveloper(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof developers.deleteDeveloper>,
) {
  const row = requireDeveloper(await findDeveloperForUpdate(deps.db, actor.developer_id))
  if (input.name.trim() !== row.name) throw problem('name_mismatch', { fields: { name: 'wrong' } })
  await deleteDeveloperWithClients(deps, row, actor)
  return {}
}

/** Throws `no_developer` when the developer account was deleted after the request guard had read the membership. */
export function requireDeveloper(row: DeveloperRow | undefined): DeveloperRow {
  if (!row) throw problem('no_developer')
  return row
}

/** Converts a row to the API representation for a member with this level. */
export function toDeveloper({ id, ...row }: DeveloperRow, permission: MemberActor['permission']): developers.Developer {
  return { ...row, developer_id: id, permission }
}

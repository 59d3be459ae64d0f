import { type developers, type InputOf, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor, UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { findUserForUpdate } from '../account/public.ts'
import { replacePicture } from '../media/public.ts'
import { requireFactorOfDeveloper } from '../security/public.ts'
import { updateSessionDeveloper } from '../sessions/public.ts'
import { changedFields, recordDeveloperActivity } from './activity.ts'
import {
  type DeveloperRow,
  deleteDeveloperRow,
  findDeveloper,
  findDeveloperForUpdate,
  insertDeveloper,
  updateDeveloperRow,
} from './store.ts'

/** Creates a developer account; requires a confirmed email address, because clients show its name (api §5). */
export async function createDeveloper(
  deps: TransactionDeps,
  actor: UserActor,
  input: InputOf<typeof developers.createDeveloper>,
) {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user?.email_verified_at) throw problem('email_not_verified')
  await requireFactorOfDeveloper(deps, user.id)
  await requireQuota(deps, user.id)
  const created_at = toTime(deps.clock.now())
  const row: DeveloperRow = {
    id: newId(deps.clock),
    name: input.name,
    logo: null,
    website: input.website ?? null,
    description: input.description ?? null,
    company: input.company ?? null,
    created_at,
    enabled: 1,
    verified: 0,
    limits: null,
    search: folded(input.name),
  }
  await insertDeveloper(deps.db, row)
  await deps.emit('developer_created', { developer_id: row.id, user_id: actor.user_id })
  await updateSessionDeveloper(deps.db, actor.session_id, row.id)
  await recordDeveloperActivity(deps, { ...actor, developer_id: row.id }, 'CREATED_DEVELOPER', { name: row.name })
  return toDeveloper(row, 'owner')
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
  const fields = changedFields(row, changes)
  if (fields.length > 0) {
    const search = changes.name === undefined ? {} : { search: folded(changes.name) }
    await updateDeveloperRow(deps.db, row.id, { ...changes, ...search })
    await recordDeveloperActivity(deps, actor, 'EDITED_DEVELOPER', { name: row.name, fields: fields.join(' ') })
  }
  return toDeveloper({ ...row, ...changes }, actor.permission)
}

/**
 * Deletes the developer account with its clients. Sessions that have it as current developer stay: a current developer
 * of which the user is not a member counts as none, and ids are never reused.
 */
export async function deleteDeveloper(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof developers.deleteDeveloper>,
) {
  const row = requireDeveloper(await findDeveloperForUpdate(deps.db, actor.developer_id))
  if (input.name.trim() !== row.name) throw problem('name_mismatch', { fields: { name: 'wrong' } })
  await deleteDeveloperWithClients(deps, row)
  return {}
}

/** Emits `developer_deleted` before it deletes the row, so that listeners still find the clients. */
export async function deleteDeveloperWithClients(
  deps: TransactionDeps,
  { id, logo }: Pick<DeveloperRow, 'id' | 'logo'>,
): Promise<void> {
  await deps.emit('developer_deleted', { developer_id: id })
  await replacePicture(deps, logo, null)
  await deps.revoke('organization_deleted', { developer_id: id })
  await deleteDeveloperRow(deps.db, id)
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

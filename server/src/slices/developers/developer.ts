import { type developers, type InputOf, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member, Person } from '../../edge/actors.ts'
import { newId } from '../../ports/ids.ts'
import { findUser } from '../account/door.ts'
import { setDeveloper } from '../auth/door.ts'
import { replacePicture } from '../media/door.ts'
import { changed, recordInDeveloper } from './activity.ts'
import {
  type DeveloperRow,
  deleteDeveloperRow,
  findDeveloper,
  insertDeveloper,
  insertMember,
  lockDeveloper,
  updateDeveloperRow,
} from './store.ts'

/** §2 Only somebody whose address is confirmed gets an organisation: apps speak in its name. */
export async function createDeveloper(deps: Deps, actor: Person, input: InputOf<typeof developers.createDeveloper>) {
  const user = await findUser(deps.db, actor.user_id)
  if (!user?.email_verified_at) throw problem('email_not_verified')
  const created_at = toTime(deps.clock.now())
  const row: DeveloperRow = {
    id: newId(deps.clock),
    name: input.name,
    logo: null,
    website: input.website ?? null,
    description: input.description ?? null,
    company: input.company ?? null,
    created_at,
  }
  await insertDeveloper(deps.db, row)
  await insertMember(deps.db, {
    id: newId(deps.clock),
    developer_id: row.id,
    user_id: actor.user_id,
    permission: 'owner',
    joined_at: created_at,
  })
  await setDeveloper(deps.db, actor.session_id, row.id)
  await recordInDeveloper(deps, { ...actor, developer_id: row.id }, 'CREATED_DEVELOPER', { name: row.name })
  return developerOf(row, 'owner')
}

export async function currentDeveloper(deps: ReadDeps, actor: Member) {
  return developerOf(found(await findDeveloper(deps.db, actor.developer_id)), actor.permission)
}

export async function updateDeveloper(deps: Deps, actor: Member, changes: InputOf<typeof developers.updateDeveloper>) {
  const row = found(await lockDeveloper(deps.db, actor.developer_id))
  const fields = changed(row, changes)
  if (fields.length > 0) {
    await updateDeveloperRow(deps.db, row.id, changes)
    await recordInDeveloper(deps, actor, 'EDITED_DEVELOPER', { name: row.name, fields: fields.join(' ') })
  }
  return developerOf({ ...row, ...changes }, actor.permission)
}

/**
 * With its apps and everything. Sessions that act for it go on without an organisation: a current developer in which one
 * is no member counts as none, and its id never comes again.
 */
export async function deleteDeveloper(deps: Deps, actor: Member, input: InputOf<typeof developers.deleteDeveloper>) {
  const row = found(await lockDeveloper(deps.db, actor.developer_id))
  if (input.name.trim() !== row.name) throw problem('name_mismatch', { fields: { name: 'wrong' } })
  await endDeveloper(deps, row)
  return {}
}

/** Whoever hears of it still finds its apps; the row goes last. */
export async function endDeveloper(deps: Deps, { id, logo }: Pick<DeveloperRow, 'id' | 'logo'>): Promise<void> {
  await deps.tell('developer_deleted', { developer_id: id })
  await replacePicture(deps, logo, null)
  await deleteDeveloperRow(deps.db, id)
}

/** The fence has just read the membership; somebody may have deleted the organisation since. */
export function found(row: DeveloperRow | undefined): DeveloperRow {
  if (!row) throw problem('no_developer')
  return row
}

/** An organisation as one of its members sees it. */
export function developerOf({ id, ...row }: DeveloperRow, permission: Member['permission']): developers.Developer {
  return { ...row, developer_id: id, permission }
}

import type { developers, InputOf } from '@vrata/contract'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { receivePicture, replacePicture } from '../media/door.ts'
import { recordInDeveloper } from './activity.ts'
import { developerOf, found } from './developer.ts'
import { lockDeveloper, updateDeveloperRow } from './store.ts'

/** api.md §5: PUT /developer/logo. The slow work is done before the transaction begins. */
export async function setLogo(open: OpenDeps, actor: Member, { logo }: InputOf<typeof developers.setLogo>) {
  const file = await receivePicture(open, { user_id: actor.user_id, bytes: logo, field: 'logo', framing: 'whole' })
  return await open.transaction((deps) => show(deps, actor, file))
}

/** DELETE of the same; succeeds without one, too. */
export async function removeLogo(deps: Deps, actor: Member) {
  return await show(deps, actor, null)
}

async function show(deps: Deps, actor: Member, logo: string | null): Promise<developers.Developer> {
  const row = found(await lockDeveloper(deps.db, actor.developer_id))
  if (logo !== row.logo) {
    await replacePicture(deps, row.logo, logo)
    await updateDeveloperRow(deps.db, row.id, { logo })
    await recordInDeveloper(deps, actor, 'CHANGED_LOGO', logo === null ? { removed: 'true' } : {})
  }
  return developerOf({ ...row, logo }, actor.permission)
}

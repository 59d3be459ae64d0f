import type { clients, InputOf } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { recordInDeveloper } from '../developers/door.ts'
import { receivePicture, replacePicture } from '../media/door.ts'
import { infoOf } from './info.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { updateClient } from './store.ts'

/** api.md §6: PUT /client/{id}/icon. The slow work is done before the transaction begins, for an app that is there. */
export async function setIcon(open: OpenDeps, actor: Member, { id, icon }: InputOf<typeof clients.setIcon>) {
  await ownClient(open, actor, id)
  const file = await receivePicture(open, { user_id: actor.user_id, bytes: icon, field: 'icon', framing: 'whole' })
  return await open.transaction((deps) => show(deps, actor, id, file))
}

/** DELETE of the same; succeeds without one, too. */
export async function removeIcon(deps: Deps, actor: Member, { id }: InputOf<typeof clients.removeIcon>) {
  return await show(deps, actor, id, null)
}

async function show(deps: Deps, actor: Member, id: string, icon: string | null): Promise<clients.ClientInfo> {
  const client = await ownClientToChange(deps, actor, id)
  if (icon !== client.icon) {
    await replacePicture(deps, client.icon, icon)
    await updateClient(deps.db, client, { icon, updated_at: toTime(deps.clock.now()) })
    await recordInDeveloper(deps, actor, 'CHANGED_ICON', {
      client_id: id,
      name: client.name,
      ...(icon === null ? { removed: 'true' } : {}),
    })
    await tellChanged(deps, id)
  }
  return infoOf({ ...client, icon })
}

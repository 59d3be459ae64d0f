import type { clients, InputOf } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { replacePicture, uploadPicture } from '../media/public.ts'
import { toClientInfo } from './info.ts'
import { announceClientChange, findOwnClient, findOwnClientForUpdate } from './own-client.ts'
import { findClientByIdForUpdate, updateClient } from './store.ts'

/** Sets the icon (api §6). The picture is converted before the transaction begins. */
export async function setIcon(open: AppDeps, actor: MemberActor, { id, icon }: InputOf<typeof clients.setIcon>) {
  await findOwnClient(open, actor, id)
  const file = await uploadPicture(open, { user_id: actor.user_id, upload: icon, field: 'icon', framing: 'whole' })
  return await open.transaction((deps) => replaceIcon(deps, actor, id, file))
}

/** Removes the icon; succeeds when there is none. */
export async function removeIcon(
  deps: TransactionDeps,
  actor: MemberActor,
  { id }: InputOf<typeof clients.removeIcon>,
) {
  return await replaceIcon(deps, actor, id, null)
}

/** Sets the icon that a program has registered as `logo_uri`; nothing when the client has been deleted meanwhile. */
export async function setLogo(deps: TransactionDeps, client_id: string, icon: string): Promise<void> {
  const client = await findClientByIdForUpdate(deps.db, client_id)
  if (!client) return
  await replacePicture(deps, client.icon, icon)
  await updateClient(deps.db, client, { icon, updated_at: toTime(deps.clock.now()) })
  await announceClientChange(deps, client_id)
}

async function replaceIcon(
  deps: TransactionDeps,
  actor: MemberActor,
  id: string,
  icon: string | null,
): Promise<clients.ClientInfo> {
  const client = await findOwnClientForUpdate(deps, actor, id)
  if (icon !== client.icon) {
    await replacePicture(deps, client.icon, icon)
    await updateClient(deps.db, client, { icon, updated_at: toTime(deps.clock.now()) })
    await recordDeveloperActivity(deps, actor, 'CHANGED_ICON', {
      client_id: id,
      name: client.name,
      ...(icon === null ? { removed: 'true' } : {}),
    })
    await announceClientChange(deps, id)
  }
  return toClientInfo({ ...client, icon })
}

import type { account, InputOf } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { receivePicture, replacePicture } from '../media/door.ts'
import { lockUser, updateUser } from './store.ts'
import { userInfo } from './user-info.ts'

/** api.md §3: PUT /account/profile-picture. The slow work is done before the transaction begins. */
export async function setProfilePicture(
  open: OpenDeps,
  actor: Person,
  { profile_picture }: InputOf<typeof account.setProfilePicture>,
): Promise<account.UserInfo> {
  const { user_id } = actor
  const sent = { user_id, bytes: profile_picture, field: 'profile_picture', framing: 'filled' as const }
  const file = await receivePicture(open, sent)
  return await open.transaction((deps) => show(deps, actor, file))
}

/** DELETE of the same; succeeds without one, too. */
export async function removeProfilePicture(deps: Deps, actor: Person): Promise<account.UserInfo> {
  return await show(deps, actor, null)
}

async function show(deps: Deps, actor: Person, profile_picture: string | null): Promise<account.UserInfo> {
  const user = await lockUser(deps.db, actor.user_id)
  await replacePicture(deps, user?.profile_picture ?? null, profile_picture)
  await updateUser(deps.db, actor.user_id, { profile_picture, updated_at: toTime(deps.clock.now()) })
  await deps.tell('account_changed', { user_id: actor.user_id })
  return await userInfo(deps, actor)
}

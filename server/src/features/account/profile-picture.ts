import { type account, type InputOf, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { replacePicture, uploadPicture } from '../media/public.ts'
import { findUserForUpdate, updateUser } from './store.ts'
import { userInfo } from './user-info.ts'

/** Replaces the profile picture (api §3.2). The picture is encoded before the transaction begins. */
export async function setProfilePicture(
  app: AppDeps,
  actor: UserActor,
  { profile_picture }: InputOf<typeof account.setProfilePicture>,
): Promise<account.UserInfo> {
  const { user_id } = actor
  const sent = { user_id, upload: profile_picture, field: 'profile_picture', framing: 'filled' as const }
  const file = await uploadPicture(app, sent)
  return await app.transaction((deps) => updateProfilePicture(deps, actor, file))
}

/** Removes the profile picture (api §3.2). Succeeds without one. */
export async function removeProfilePicture(deps: TransactionDeps, actor: UserActor): Promise<account.UserInfo> {
  return await updateProfilePicture(deps, actor, null)
}

async function updateProfilePicture(
  deps: TransactionDeps,
  actor: UserActor,
  profile_picture: string | null,
): Promise<account.UserInfo> {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  // The account was deleted while the picture was being encoded.
  if (!user) throw problem('unauthenticated')
  await replacePicture(deps, user.profile_picture, profile_picture)
  await updateUser(deps.db, actor.user_id, { profile_picture, updated_at: toTime(deps.clock.now()) })
  await deps.emit('account_changed', { user_id: actor.user_id })
  return await userInfo(deps, actor)
}

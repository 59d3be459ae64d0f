import type { account, InputOf } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { findUserByUsername } from './store.ts'
import { usernameKey } from './update-account.ts'

/** Whether a user name is free or the user's own. Another user may take it before it is saved. */
export async function checkUsername(
  deps: Pick<AppDeps, 'db'>,
  actor: UserActor,
  { username }: InputOf<typeof account.checkUsername>,
): Promise<{ available: boolean }> {
  const holder = await findUserByUsername(deps.db, usernameKey(username))
  return { available: holder === undefined || holder.id === actor.user_id }
}

import type { account, InputOf } from '@vrata/contract'
import type { ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { findUserByUsername } from './store.ts'
import { usernameKey } from './update.ts'

/** Whether a user name is free; one's own is. Only a save decides: somebody may be faster. */
export async function checkUsername(
  deps: ReadDeps,
  actor: Person,
  { username }: InputOf<typeof account.checkUsername>,
): Promise<{ available: boolean }> {
  const holder = await findUserByUsername(deps.db, usernameKey(username))
  return { available: holder === undefined || holder.id === actor.user_id }
}

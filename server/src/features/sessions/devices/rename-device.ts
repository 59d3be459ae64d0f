import { type InputOf, problem, type sessions } from '@vrata/contract'
import { toTime } from '../../../db/values.ts'
import type { TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { hasDevice } from '../store.ts'
import { deleteDeviceName, upsertDeviceName } from './device-store.ts'

/** Names a device on which the user is signed in; null removes the name. It stays for later sign-ins with this browser. */
export async function renameDevice(
  deps: TransactionDeps,
  { user_id }: UserActor,
  { id, name }: InputOf<typeof sessions.renameDevice>,
) {
  if (!(await hasDevice(deps.db, user_id, id, toTime(deps.clock.now())))) throw problem('not_found')
  if (name === null) await deleteDeviceName(deps.db, user_id, id)
  else await upsertDeviceName(deps.db, user_id, id, name)
  return {}
}

import type { InputOf, signIn } from '@vrata/contract'
import { fromFlag } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { findUsers } from '../account/public.ts'
import { deleteDevice, listDeviceUsers } from '../sessions/public.ts'

/**
 * Lists the accounts that have signed in with this browser and have `allow_details_on_login` on, the latest first
 * (api §3.11). The browser is identified by the device cookie, which scripts cannot read.
 */
export async function listKnownAccounts(
  deps: Pick<AppDeps, 'db'>,
  visitor: AnonymousActor,
): Promise<signIn.KnownAccount[]> {
  const ids = await listDeviceUsers(deps.db, visitor)
  if (ids.length === 0) return []
  const users = new Map((await findUsers(deps.db, ids)).map((user) => [user.id, user]))
  return ids.flatMap((id) => {
    const user = users.get(id)
    if (!user || user.disabled_at !== null || !fromFlag(user.allow_details_on_login)) return []
    const { first_name, last_name, profile_picture, username, email } = user
    return [{ id, first_name, last_name, profile_picture, username_or_email: username ?? email }]
  })
}

/** Removes an account from the known accounts of this browser. Its next sign-in counts as one from a new device. */
export async function removeKnownAccount(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  { id }: InputOf<typeof signIn.removeKnownAccount>,
) {
  await deleteDevice(deps.db, visitor, id)
  return {}
}

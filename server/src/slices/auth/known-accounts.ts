import type { auth, InputOf } from '@vrata/contract'
import { fromFlag } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { hashToken } from '../../ports/ids.ts'
import { findUsers } from '../account/door.ts'
import * as store from './device-store.ts'

/**
 * api.md §3, `allow_details_on_login`: whom this very browser has signed in before, the latest first. Only the device
 * cookie asks, which no script reads and no other browser has.
 */
export async function listKnownAccounts(deps: ReadDeps, visitor: Visitor): Promise<auth.KnownAccount[]> {
  const token = visitor.cookies.read('device')
  if (!token) return []
  const ids = await store.listPeople(deps.db, hashToken(token))
  const users = new Map((await findUsers(deps.db, ids)).map((user) => [user.id, user]))
  return ids.flatMap((id) => {
    const user = users.get(id)
    if (!user || user.disabled_at !== null || !fromFlag(user.allow_details_on_login)) return []
    const { first_name, last_name, profile_picture, username, email } = user
    return [{ id, first_name, last_name, profile_picture, username_or_email: username ?? email }]
  })
}

/** The account's next sign-in here counts as one from a new device. */
export async function forgetKnownAccount(
  deps: Deps,
  visitor: Visitor,
  { id }: InputOf<typeof auth.forgetKnownAccount>,
) {
  const token = visitor.cookies.read('device')
  if (token) await store.forgetDevice(deps.db, hashToken(token), id)
  return {}
}

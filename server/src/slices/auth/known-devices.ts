import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { hashToken, newToken } from '../../ports/ids.ts'
import * as store from './device-store.ts'

/** More browsers than this per person are forgotten, the longest unused first. */
const MOST = 20

/** The hash of this browser's device cookie, if this person has signed in here before. */
export async function knownDevice(
  deps: Pick<ReadDeps, 'db'>,
  visitor: Visitor,
  user_id: string,
): Promise<string | undefined> {
  const token = visitor.cookies.read('device')
  if (!token) return undefined
  const hash = hashToken(token)
  return (await store.findDevice(deps.db, hash, user_id)) === undefined ? undefined : hash
}

/**
 * Remembers this browser for this person. The cookie outlives sessions and logout: it opens nothing, it only spares its
 * holder the wait that strangers' wrong guesses cause (security.md 6.1.1).
 */
export async function rememberDevice(
  deps: Pick<Deps, 'db' | 'clock'>,
  visitor: Visitor,
  user_id: string,
): Promise<void> {
  const token = visitor.cookies.read('device') ?? newToken()
  visitor.cookies.write('device', token)
  await store.keepDevice(deps.db, hashToken(token), user_id, toTime(deps.clock.now()))
  await store.forgetOldDevices(deps.db, user_id, MOST)
}

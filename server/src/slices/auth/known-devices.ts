import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import type { Listener } from '../../events.ts'
import { hashToken, newToken } from '../../ports/ids.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { placeIn } from '../../ports/places.ts'
import { findUser, localeOf } from '../account/door.ts'
import * as store from './device-store.ts'
import { updateSession } from './store.ts'

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
  deps: Deps,
  visitor: Visitor,
  { user_id, session_id }: { user_id: string; session_id: string },
  { isNewAccount, by_qr }: { isNewAccount: boolean; by_qr: boolean },
): Promise<void> {
  const token = visitor.cookies.read('device') ?? newToken()
  visitor.cookies.write('device', token)
  const hash = hashToken(token)
  // Whoever has just made the account knows that they have.
  const new_device = !isNewAccount && (await store.findDevice(deps.db, hash, user_id)) === undefined
  const now = toTime(deps.clock.now())
  if (new_device) await updateSession(deps.db, session_id, { unknown_since: now })
  await store.keepDevice(deps.db, hash, user_id, now)
  await store.forgetOldDevices(deps.db, user_id, MOST)
  await deps.tell('signed_in', { user_id, from: visitor, new_device, by_qr })
}

/**
 * Listens to itself: the owner hears of a sign-in from a browser that the account does not know (security.md 6.3.5), and
 * of every one that a phone has approved, since somebody may have talked them into it.
 */
export const onSignedIn: Listener<'signed_in'> = async (deps, { user_id, from, new_device, by_qr }) => {
  if (!new_device && !by_qr) return
  const user = await findUser(deps.db, user_id)
  const now = toTime(deps.clock.now())
  if (!user) return
  const locale = localeOf(user)
  await queueMail(deps, {
    to: user.email,
    locale,
    template: by_qr ? 'qr_sign_in' : 'new_device',
    values: {
      name: user.first_name,
      link: `${deps.config.url}/devices`,
      when: now,
      device: [from.browser, from.os].filter(Boolean).join(', ') || from.ip,
      place: placeIn(locale, await deps.places.find(from.ip)) ?? 'none',
    },
  })
}

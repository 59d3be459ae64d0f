import type { AnonymousActor } from '../../http/actors.ts'
import { hashToken, newToken, type TokenHash } from '../../lib/ids.ts'

/**
 * Returns the hash of the device cookie, and sets the cookie if the browser has none. It binds pending sign-ins and
 * passkey challenges to the browser in which they began; it grants no access (decision 0016).
 */
export function ensureDeviceCookie(visitor: AnonymousActor): TokenHash {
  const token = visitor.cookies.read('device') ?? newToken()
  visitor.cookies.write('device', token)
  return hashToken(token)
}

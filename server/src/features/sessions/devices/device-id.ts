import { hashToken } from '../../../lib/ids.ts'

const LENGTH = 22

/**
 * Id of a browser for one user, derived from its device cookie. It connects no two users of a browser, and the cookie does
 * not follow from it.
 */
export function deviceIdOf(user_id: string, device_cookie: string): string {
  return hashToken(`${user_id}.${device_cookie}`).slice(0, LENGTH)
}

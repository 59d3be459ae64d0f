import { problem } from '@vrata/contract'
import type { User } from '../../account/public.ts'

/**
 * Returns the user. Throws `email_not_verified` while the address is unconfirmed: it may belong to another person, who takes
 * the account back by a mailed link and must not find an authentication method of a stranger.
 */
export function requireConfirmedEmail(user: User | undefined): User {
  if (!user) throw problem('unauthenticated')
  if (user.email_verified_at === null) throw problem('email_not_verified')
  return user
}

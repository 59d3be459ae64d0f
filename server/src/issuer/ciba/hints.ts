import { LIMITS } from '@vrata/contract'
import { errors } from 'oidc-provider'
import { findUserByLogin } from '../../features/account/public.ts'
import { newId } from '../../lib/ids.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/** Letters, digits, spaces and punctuation of one line (OpenID Connect CIBA Core §7.1). */
const BINDING_MESSAGE = new RegExp(`^[\\p{L}\\p{N} .,:;!?#+/()_-]{1,${LIMITS.binding_message_max}}$`, 'u')

/**
 * Hook `processLoginHint`: the user of an email address or user name. A hint that names no user gives an id of no user, for which
 * `findAccount` has an account, so that the client learns nothing: the request stays pending until it expires
 * (decision 0039).
 */
export async function userOfHint({ deps }: ProviderRequest, _: unknown, hint = ''): Promise<string> {
  // PostgreSQL fails at a NUL in a parameter.
  const user = hint.includes('\0') ? undefined : await findUserByLogin(deps.db, hint.slice(0, LIMITS.email_max + 1))
  return user?.id ?? newId(deps.clock)
}

/** Hook `processLoginHintToken`: no server issues such tokens. */
export async function refuseLoginHintToken(): Promise<never> {
  throw new errors.InvalidRequest('login_hint_token is not supported')
}

/** Hook `validateBindingMessage`. */
export async function validateBindingMessage(_: unknown, message: string | undefined): Promise<void> {
  if (message === undefined || BINDING_MESSAGE.test(message)) return
  throw new errors.InvalidBindingMessage(
    `binding_message must have 1 to ${LIMITS.binding_message_max} letters, digits, spaces and simple punctuation`,
  )
}

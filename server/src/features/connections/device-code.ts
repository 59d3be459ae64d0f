import { type AnswerOf, type connections, type InputOf, problem, readUserCode } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { findUser } from '../account/public.ts'
import { checkThrottle, clearFailures, countFailedAttempt, throttleKey } from '../security/public.ts'
import { findRequestingClient } from './consent/consent.ts'

/**
 * Finds the device authorization request of a user code and binds it to the user (RFC 8628 §3.3). User codes are short, so
 * only users with a confirmed address may try one, and wrong codes are throttled per account, besides the rate limit per IP
 * address (RFC 8628 §5.1, decision 0039).
 */
export async function openDeviceCode(
  open: AppDeps,
  actor: UserActor,
  { user_code }: InputOf<typeof connections.openDeviceCode>,
): Promise<AnswerOf<typeof connections.openDeviceCode>> {
  const user = await findUser(open.db, actor.user_id)
  if (!user?.email_verified_at) throw problem('email_not_verified')
  const key = throttleKey.code(actor.user_id)
  await checkThrottle(open, key)
  const found = await open.transaction(async (deps) => {
    const request = await deps.interactions.openDevice(deps, readUserCode(user_code), actor)
    if (typeof request !== 'string') await clearFailures(deps, key)
    return request
  })
  if (typeof found === 'string') {
    await countFailedAttempt(open, key, actor)
    throw found === 'unknown'
      ? problem('not_found', { fields: { user_code: 'unknown' } })
      : problem('expired_code', { fields: { user_code: 'invalid' } })
  }
  const { uid, client_id, scopes } = found
  await findRequestingClient(open.db, client_id)
  return { uid, client_id, scope: scopes.join(' ') }
}

import type { AppDeps } from '../../../deps.ts'
import { loginKey } from '../../account/public.ts'
import { networkKey } from './network-throttle.ts'
import { type ThrottleKey, throttleKey, throwIfBlocked } from './throttle.ts'
import { listSignInThrottles } from './throttle-store.ts'

/** Counters that a sign-in in an unknown browser checks; both throw `too_many_requests`. */
export interface SignInThrottles {
  /** Like `checkNetwork`. */
  checkNetwork(): void
  /** Like `checkThrottle`, for `throttleKey.account` and `throttleKey.unknownLogin` of the login only. */
  checkLogin(key: ThrottleKey): void
}

/**
 * Reads the counters in one statement, which needs no user: it is sent together with the read of the user, and takes the same time
 * with an unknown name (security §6.3.8).
 */
export async function readSignInThrottles(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  { ip, login }: { ip: string; login: string },
): Promise<SignInThrottles> {
  const network = networkKey(ip)
  const unknown = throttleKey.unknownLogin(login)
  const rows = await listSignInThrottles(deps.db, { network, unknown, login: loginKey(login) })
  const check = (key: string) =>
    throwIfBlocked(
      deps,
      rows.find((row) => row.key === key),
    )
  return { checkNetwork: () => check(network), checkLogin: check }
}

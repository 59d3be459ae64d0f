import type { AppDeps } from '../../../deps.ts'
import { loginKey } from '../../account/public.ts'
import { networkKey } from './network-throttle.ts'
import { type ThrottleKey, throttleKey, throwIfBlocked } from './throttle.ts'
import { listSignInThrottles } from './throttle-store.ts'

/** Counters that a sign-in checks; both checks throw `too_many_requests`. */
export interface SignInThrottles {
  /** Like `checkNetwork`. */
  checkNetwork(): void
  /** Like `checkThrottle`, for `throttleKey.account`, `throttleKey.device` and `throttleKey.unknownLogin` of the login and the browser only. */
  checkLogin(key: ThrottleKey): void
  /** Whether there is a counter for one of these keys. */
  isCounted(key: ThrottleKey): boolean
}

/**
 * Reads the counters in one statement, which needs no user: it is sent together with the read of the user, and takes the same time
 * with an unknown name (security §6.3.8).
 */
export async function readSignInThrottles(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  { ip, login, device_hash }: { ip: string; login: string; device_hash: string | undefined },
): Promise<SignInThrottles> {
  const network = networkKey(ip)
  const unknown = throttleKey.unknownLogin(login)
  const rows = await listSignInThrottles(deps.db, {
    network,
    unknown,
    login: loginKey(login),
    device_hash: device_hash ?? '',
  })
  const find = (key: string) => rows.find((row) => row.key === key)
  const check = (key: string) => throwIfBlocked(deps, find(key))
  return { checkNetwork: () => check(network), checkLogin: check, isCounted: (key) => find(key) !== undefined }
}

import type { Deps } from '../../deps.ts'
import { pruneTokens } from './one-time-tokens.ts'
import { pruneThrottles } from './throttle.ts'

export { masked } from './mask.ts'
export { consumeToken, findToken, type Issued, issueToken } from './one-time-tokens.ts'
export { adoptPassword, checkNewPassword, type Owner } from './password.ts'
export { forgetFailures, type GuessKey, guessKey, provePassword } from './throttle.ts'
export { onPendingEmailChanged, sendConfirmation } from './verify-email.ts'

/** Deletes up to `most` rows of each kind that have done their service; answers how many. */
export async function prune(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return (await pruneTokens(deps, most)) + (await pruneThrottles(deps, most))
}

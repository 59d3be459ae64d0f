import type { Deps } from '../../deps.ts'
import { pruneTokens } from './one-time-tokens.ts'
import { pruneSeeds } from './otp.ts'
import { pruneTries } from './otp-tries.ts'
import { pruneChallenges } from './passkey-proof.ts'
import { pruneThrottles } from './throttle.ts'

export { browserOf } from './browser.ts'
export { factorsOf } from './factors-store.ts'
export { masked } from './mask.ts'
export { consumeToken, findToken, type Issued, issueToken, voidTokens } from './one-time-tokens.ts'
export { wrongCode } from './otp.ts'
export { type TryKey, tryKey } from './otp-tries.ts'
export { provePasskey, rememberChallenge, usePasskey } from './passkey-proof.ts'
export { knownPasskeys } from './passkeys.ts'
export { adoptPassword, checkNewPassword, type Owner } from './password.ts'
export { asksSecondFactor, type FactorProof, proveSecondFactor, TRIES } from './second-factor.ts'
export { securityPart } from './security-part.ts'
export {
  countGuess,
  forgetFailures,
  type GuessKey,
  guessKey,
  provePassword,
  refuseGuesser,
  resetThrottle as forgetGuesses,
} from './throttle.ts'
export { onPendingEmailChanged, sendConfirmation } from './verify-email.ts'

/** Deletes up to `most` rows of each kind that have done their service; answers how many. */
export async function prune(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  let pruned = 0
  for (const one of [pruneTokens, pruneThrottles, pruneTries, pruneSeeds, pruneChallenges])
    pruned += await one(deps, most)
  return pruned
}

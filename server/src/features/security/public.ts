import type { TransactionDeps } from '../../deps.ts'
import { pruneMailCounts } from './mail-limits.ts'
import { pruneTokens } from './one-time-tokens.ts'
import { pruneSeeds } from './otp/otp.ts'
import { pruneAttempts } from './otp/otp-attempts.ts'
import { pruneChallenges } from './passkeys/passkey-assertion.ts'
import { pruneThrottles } from './throttle/throttle.ts'

export { ensureDeviceCookie } from './device-cookie.ts'
export { onPendingEmailChanged, sendEmailConfirmation } from './email-verification/verify-email.ts'
export { exportSecurity } from './export.ts'
export { countMail, hasCountedMail, mailKey, queueNotice } from './mail-limits.ts'
export { maskEmail } from './mask-email.ts'
export { consumeToken, findToken, hasToken, type IssuedToken, issueToken, voidTokens } from './one-time-tokens.ts'
export { invalidOtp } from './otp/otp.ts'
export { type AttemptKey, attemptKey } from './otp/otp-attempts.ts'
export { withoutFactorGuard } from './otp/otp-store.ts'
export { carryRecoveryCodeKeys } from './otp/recovery-code-keys.ts'
export {
  isSecondFactorEnabled,
  MAX_ATTEMPTS,
  resealSeeds,
  type SecondFactorInput,
  verifySecondFactor,
} from './otp/second-factor.ts'
export { findSecondFactors } from './otp/second-factor-summary-store.ts'
export { createChallenge, recordPasskeyUse, verifyPasskey } from './passkeys/passkey-assertion.ts'
export {
  insertNewPasskey,
  listCredentialDescriptors,
  recordPasskeyChange,
  registrationOptions,
  verifyRegistration,
} from './passkeys/passkeys.ts'
export { checkNewPassword, type PersonalNames, passwordRules, replacePassword } from './password.ts'
export {
  revokeConfirmationLinks,
  revokePasskeys,
  revokeResetLinks,
  revokeSecondFactor,
  revokeThrottles,
} from './revokers.ts'
export {
  checkNetwork,
  countNetworkFailure,
  NETWORK_WINDOW,
  NetworkFailureCounter,
  networkGuard,
} from './throttle/network-throttle.ts'
export { readSignInThrottles } from './throttle/sign-in-throttles.ts'
export {
  checkThrottle,
  clearedFailuresGuard,
  clearFailures,
  countFailedAttempt,
  type ThrottleKey,
  throttleKey,
  verifyPassword,
  verifyUnblockedPassword,
} from './throttle/throttle.ts'

/** Deletes up to `limit` expired rows of each table, and returns how many. */
export async function prune(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  let pruned = 0
  for (const one of [pruneTokens, pruneThrottles, pruneAttempts, pruneSeeds, pruneChallenges, pruneMailCounts])
    pruned += await one(deps, limit)
  return pruned
}
export { hasAnyFactor, hasFactor, isFactorMissing, requireFactorOfDeveloper } from './required-factor.ts'

import { timeAfter, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { required } from '../../revocation/revocations.ts'
import type { Revoker } from '../../revocation/revoke.ts'
import { deleteExpiredPendingSignIns, deletePendingSignInsOfUser } from './pending-sign-in-store.ts'
import { consumeApprovedQrCodes, deleteOldQrCodes } from './qr-code/qr-store.ts'

export { requireMethod } from './allowed-ways.ts'
export { completeSignIn } from './complete-sign-in.ts'
export { FORGOT_PASSWORD_JOB, forgotPasswordJob, sendResetLink } from './forgot-password.ts'
export { hasOpenQrCode } from './qr-code/qr-code.ts'

/**
 * Deletes sign-ins that wait for a code and consumes approved QR codes, so that they open no session afterwards. Runs before
 * the sessions are locked: redeeming a QR code locks in the same order. Where one session ends, redeeming finds that it has approved
 * the code.
 */
export const revokePendingSignIns: Revoker = async ({ db }, revocation) => {
  if (revocation.effect === 'session_ends') return
  const user_id = required(revocation.user_id, revocation)
  await deletePendingSignInsOfUser(db, user_id)
  await consumeApprovedQrCodes(db, user_id)
}

/** Seconds for which an expired QR code is kept, so that a page that shows it learns that it has expired. */
const QR_CODE_RETENTION = 60 * 60

/** Deletes up to `limit` expired QR codes and as many expired pending sign-ins, and returns how many. */
export async function prune(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  const now = deps.clock.now()
  const codes = await deleteOldQrCodes(deps.db, timeAfter(now, -QR_CODE_RETENTION), limit)
  return codes + (await deleteExpiredPendingSignIns(deps.db, toTime(now), limit))
}
export { onFactorAdded } from './next-step.ts'
export { listAcceptedTerms } from './terms-store.ts'

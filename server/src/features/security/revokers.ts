import { required } from '../../revocation/revocations.ts'
import type { Revoker } from '../../revocation/revoke.ts'
import { clearPendingEmail, findUser } from '../account/public.ts'
import { voidTokens } from './one-time-tokens.ts'
import { deleteRecoveryCodes, deleteSeed } from './otp/otp-store.ts'
import { deletePasskey, deletePasskeysOfUser } from './passkeys/passkey-store.ts'
import { deleteThrottlesOfUser } from './throttle/throttle.ts'

export const revokePasskeys: Revoker = async ({ db }, revocation) => {
  const user_id = required(revocation.user_id, revocation)
  if (revocation.effect !== 'one_ends') return await deletePasskeysOfUser(db, user_id)
  await deletePasskey(db, { id: required(revocation.passkey_id, revocation), user_id })
}

/** Deletes the secret and the recovery codes, or the recovery codes alone. */
export const revokeSecondFactor: Revoker = async ({ db }, revocation) => {
  const user_id = required(revocation.user_id, revocation)
  if (revocation.effect === 'ends') await deleteSeed(db, user_id)
  await deleteRecoveryCodes(db, user_id)
}

export const revokeThrottles: Revoker = async ({ db }, revocation) => {
  await deleteThrottlesOfUser(db, required(revocation.user_id, revocation))
}

/** Also links that set up a passkey. Where they stay, a passkey or second factor voids them as well. */
export const revokeResetLinks: Revoker = async (deps, revocation) => {
  const user_id = required(revocation.user_id, revocation)
  await voidTokens(deps, 'reset_password', user_id)
  await voidTokens(deps, 'new_passkey', user_id)
}

/** Clears the pending address, which voids its link: an attacker may have entered it. A link to the current address stays. */
export const revokeConfirmationLinks: Revoker = async (deps, revocation) => {
  const user_id = required(revocation.user_id, revocation)
  const user = await findUser(deps.db, user_id)
  if (user && user.pending_email !== null) await clearPendingEmail(deps, user_id)
}

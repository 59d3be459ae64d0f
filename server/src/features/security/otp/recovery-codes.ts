import { randomBytes } from 'node:crypto'
import { LIMITS, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { hmac } from '../../../lib/encryption.ts'
import { findUserForUpdate } from '../../account/public.ts'
import { recordActivity } from '../../activity/public.ts'
import { notifyUser } from '../notify-user.ts'
import * as store from './otp-store.ts'
import { RECOVERY_CODE_KEY, recoveryCodeKeys } from './recovery-code-keys.ts'

/** Crockford's base 32, without ambiguous characters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 random bits in four groups: `x4t8-0k2m-9hqa-zz71`. */
function newCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte & 31]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? ''
}

/** Undoes differences of notation: case, spaces, dashes, and letters that resemble digits. */
function normalized(code: string): string {
  return code.toLowerCase().replace(/[ -]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
}

/** Hash keyed with the server's secret, so that a stolen database does not allow offline guessing (decision 0023). */
function hashOf(key: Buffer, user_id: string, code: string): string {
  return hmac(key, `${user_id} ${normalized(code)}`)
}

/** Replaces the recovery codes and returns the new ones in plain text. */
export async function createRecoveryCodes(deps: TransactionDeps, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: LIMITS.recovery_codes }, newCode)
  const [key] = deps.encryption.keys(RECOVERY_CODE_KEY)
  await store.replaceRecoveryCodes(
    deps.db,
    user_id,
    codes.map((code) => hashOf(key as Buffer, user_id, code)),
  )
  return codes
}

/** Consumes a recovery code. Returns false when the user does not have it. */
export async function consumeRecoveryCode(deps: TransactionDeps, user_id: string, code: string): Promise<boolean> {
  const hashes = (await recoveryCodeKeys(deps)).map((key) => hashOf(key, user_id, code))
  return await store.consumeRecoveryCode(deps.db, user_id, hashes)
}

/** Replaces the recovery codes (api §3.3). */
export async function renewRecoveryCodes(deps: TransactionDeps, actor: UserActor) {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  const seed = await store.findSeed(deps.db, actor.user_id)
  if (!user || !seed?.enabled_at) throw problem('otp_not_on')
  // Signing out everywhere may just have ended the session that asks.
  await deps.liveSessions.require(deps, actor)
  const { user_id, session_id } = actor
  await deps.revoke('recovery_codes_renewed', { user_id, keep: actor })
  const recovery_codes = await createRecoveryCodes(deps, user_id)
  await recordActivity(deps, { type: 'RENEWED_RECOVERY_CODES', user_id, from: actor, session_id })
  await notifyUser(deps, user, 'recovery_codes_renewed', actor)
  return { recovery_codes }
}

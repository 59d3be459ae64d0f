import { randomBytes } from 'node:crypto'
import { LIMITS, problem } from '@vrata/contract'
import type { Deps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { lockUser } from '../account/door.ts'
import { record } from '../activity/door.ts'
import * as store from './otp-store.ts'
import { tellOwner } from './tell-owner.ts'

/** Crockford's base 32: nothing in it is taken for something else, by eye or by ear. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 random bits in four groups: `x4t8-0k2m-9hqa-zz71`. */
function newCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte & 31]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? ''
}

/** As it was made, however it was written down. */
function normal(code: string): string {
  return code.toLowerCase().replace(/[ -]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
}

/** Keyed with the server's secret, so that a stolen database does not even let anybody try (decision 0081). */
function hashOf(deps: Pick<Deps, 'sealing'>, user_id: string, code: string): string {
  return deps.sealing.derive('recovery-code', `${user_id} ${normal(code)}`)
}

/** Ten new ones, in plain for this once; the former ones are void. */
export async function makeRecoveryCodes(deps: Deps, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: LIMITS.recovery_codes }, newCode)
  await store.replaceCodes(
    deps.db,
    user_id,
    codes.map((code) => hashOf(deps, user_id, code)),
  )
  return codes
}

/** Uses a code up; false when it is none of this person's, or not any more. */
export async function useRecoveryCode(deps: Deps, user_id: string, code: string): Promise<boolean> {
  return await store.useCode(deps.db, user_id, hashOf(deps, user_id, code))
}

/** api.md §3: POST /account/recovery-codes. */
export async function renewRecoveryCodes(deps: Deps, actor: Person) {
  const user = await lockUser(deps.db, actor.user_id)
  const seed = await store.findSeed(deps.db, actor.user_id)
  if (!user || !seed?.enabled_at) throw problem('otp_not_on')
  const recovery_codes = await makeRecoveryCodes(deps, user.id)
  const { user_id, session_id } = actor
  await record(deps, { type: 'RENEWED_RECOVERY_CODES', user_id, from: actor, session_id })
  await tellOwner(deps, user, 'recovery_codes_renewed')
  return { recovery_codes }
}

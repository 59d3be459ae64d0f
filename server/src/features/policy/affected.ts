import type { InputOf, policy } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import { countLockedOut, countWithoutFactor } from './store.ts'

/** Counts who could not sign in any more if the policy had these settings. Sign-in by QR code needs another way first. */
export async function countAffected(
  deps: Pick<AppDeps, 'db' | 'policy'>,
  _: unknown,
  asked: InputOf<typeof policy.countAffected>,
) {
  const now = await deps.policy.find(deps.db)
  const { password_sign_in = now.password_sign_in, passkey_sign_in = now.passkey_sign_in } = asked
  const counted = await countLockedOut(deps.db, { before: now, after: { password_sign_in, passkey_sign_in } })
  const { second_factor = now.second_factor } = asked
  const second_factor_setup = await countWithoutFactor(deps.db, second_factor, passkey_sign_in)
  return { ...counted, second_factor_setup }
}

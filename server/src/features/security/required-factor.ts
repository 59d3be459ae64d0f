import { problem } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'

type FactorDeps = Pick<AppDeps, 'db' | 'policy' | 'secondFactors' | 'memberships'>

/** Whether the policy requires a second factor of a user; `developer`: of one who is about to become a developer. */
async function isFactorRequired(deps: FactorDeps, user_id: string, developer = false): Promise<boolean> {
  const { second_factor } = await deps.policy.find(deps.db)
  if (second_factor === 'everyone') return true
  if (second_factor === 'optional') return false
  return developer || (await deps.memberships.list(deps.db, user_id)).length > 0
}

/** Whether the account has a second factor: two-factor authentication, or a passkey where passkeys sign in. */
export async function hasFactor(deps: FactorDeps, user_id: string): Promise<boolean> {
  const { otp, passkeys } = await factorsOf(deps, user_id)
  return otp || passkeys > 0
}

/** Whether the policy requires a second factor of a user who has none. */
export async function isFactorMissing(deps: FactorDeps, user_id: string): Promise<boolean> {
  return (await isFactorRequired(deps, user_id)) && !(await hasFactor(deps, user_id))
}

/** Whether the account has two-factor authentication or a passkey, also while passkeys do not sign in. */
export async function hasAnyFactor(
  { db, secondFactors }: Pick<AppDeps, 'db' | 'secondFactors'>,
  user_id: string,
): Promise<boolean> {
  const { otp_enabled_at, passkeys } = await secondFactors.find(db, user_id)
  return otp_enabled_at !== null || passkeys > 0
}

/** Throws `second_factor_required` for a user without a second factor where the policy requires one of developers. */
export async function requireFactorOfDeveloper(deps: FactorDeps, user_id: string): Promise<void> {
  if ((await isFactorRequired(deps, user_id, true)) && !(await hasFactor(deps, user_id)))
    throw problem('second_factor_required')
}

/** Throws `second_factor_required` when the user would be without a required second factor. */
export async function requireOtherFactor(deps: FactorDeps, user_id: string, removed: 'otp' | 'passkey'): Promise<void> {
  if (!(await isFactorRequired(deps, user_id))) return
  const { otp, passkeys } = await factorsOf(deps, user_id)
  const left = removed === 'otp' ? passkeys : Number(otp) + passkeys - 1
  if (left <= 0) throw problem('second_factor_required')
}

async function factorsOf(deps: FactorDeps, user_id: string): Promise<{ otp: boolean; passkeys: number }> {
  const { passkey_sign_in } = await deps.policy.find(deps.db)
  const { otp_enabled_at, passkeys } = await deps.secondFactors.find(deps.db, user_id)
  return { otp: otp_enabled_at !== null, passkeys: passkey_sign_in ? passkeys : 0 }
}

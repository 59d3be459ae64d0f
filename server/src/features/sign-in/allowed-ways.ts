import { type InputOf, isAddressAllowed, problem, type signIn } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'

type PolicyDeps = Pick<AppDeps, 'db' | 'policy'>

/** Throws `sign_in_method_off` where the policy has turned the method off (operators §8). */
export async function requireMethod(deps: PolicyDeps, method: 'password' | 'passkey'): Promise<void> {
  const policy = await deps.policy.find(deps.db)
  if (!policy[`${method}_sign_in`]) throw problem('sign_in_method_off', { params: { method } })
}

/** Whether people may sign in by QR code: by the policy and by the settings of this server. */
export async function isQrAllowed(deps: PolicyDeps & Pick<AppDeps, 'config'>): Promise<boolean> {
  return deps.config.qr_sign_in && (await deps.policy.find(deps.db)).qr_sign_in
}

/**
 * Throws `registration_closed` unless the policy lets this address register. Without passwords only operators' invitations
 * create accounts, because registration sets a password.
 */
export async function requireRegistration(
  deps: PolicyDeps & Pick<AppDeps, 'clock' | 'invitations'>,
  { email, invitation }: Pick<InputOf<typeof signIn.register>, 'email' | 'invitation'>,
): Promise<void> {
  const policy = await deps.policy.find(deps.db)
  const { registration, password_sign_in } = policy
  if (registration === 'closed' || !password_sign_in) throw problem('registration_closed')
  if (!isAddressAllowed(policy, email)) throw problem('registration_closed')
  if (registration !== 'invited') return
  if (invitation === undefined || !(await deps.invitations.isInvited(deps, invitation, email)))
    throw problem('registration_closed')
}

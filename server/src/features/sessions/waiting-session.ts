import type { account, NextStep } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import { isFactorMissing } from '../security/public.ts'
import { clearNextStep } from './next-step-store.ts'

type Waiting = { user_id: string; next_step: NextStep | null }
type StepDeps = Pick<AppDeps, 'db' | 'policy' | 'secondFactors' | 'memberships'>

/**
 * Whether a session waits for a second factor that is not missing any more: the policy has changed since the sign-in, or the person has left the
 * last organization (operators §8).
 */
export async function waitsForNothing(deps: StepDeps, { user_id, next_step }: Waiting): Promise<boolean> {
  return next_step === 'second_factor_setup' && !(await isFactorMissing(deps, user_id))
}

/** Returns the session of a request; clears its step once the policy no longer requires it. */
export async function withCurrentStep<S extends Waiting & { session_id: string; user_info?: account.UserInfo }>(
  app: AppDeps,
  session: S | undefined,
): Promise<S | undefined> {
  if (!session?.next_step || !(await waitsForNothing(app, session))) return session
  await app.transaction(({ db }) => clearNextStep(db, session.session_id, 'second_factor_setup'))
  const { user_info } = session
  return { ...session, next_step: null, ...(user_info && { user_info: { ...user_info, next_step: null } }) }
}

import { type InputOf, type NextStep, problem, type signIn } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import type { UserActor } from '../../http/actors.ts'
import { findUserForUpdate, userInfo } from '../account/public.ts'
import { hasFactor, isFactorMissing } from '../security/public.ts'
import { updateNextSteps } from '../sessions/public.ts'
import { hasAccepted, insertAcceptedTerms } from './terms-store.ts'

type StepDeps = Pick<AppDeps, 'db' | 'policy' | 'secondFactors' | 'memberships'>

/** Step that the policy requires of a user before a sign-in is complete (operators §8). */
export async function nextStepOf(deps: StepDeps, user_id: string): Promise<NextStep | null> {
  const { terms_version } = await deps.policy.find(deps.db)
  if (terms_version !== null && !(await hasAccepted(deps.db, user_id, terms_version))) return 'terms'
  return (await isFactorMissing(deps, user_id)) ? 'second_factor_setup' : null
}

type Info = Awaited<ReturnType<typeof userInfo>>

/** The answer of a call that has verified the user. */
export async function signInAnswer(deps: Pick<AppDeps, 'db' | 'policy'>, user: Info) {
  if (user.next_step === null) return { next: 'done' as const, user }
  if (user.next_step === 'second_factor_setup') return { next: user.next_step, user }
  const { terms_url, terms_version } = await deps.policy.find(deps.db)
  return { next: user.next_step, terms_url: terms_url ?? '', terms_version: terms_version ?? '', user }
}

/**
 * Records that the user accepts the current terms of use, and continues the sign-in; also one that waits for terms that an operator has
 * removed since. Repeated, it answers the step that the session waits for.
 */
export async function acceptTerms(
  deps: TransactionDeps,
  actor: UserActor,
  { terms_version: version }: InputOf<typeof signIn.acceptTerms>,
) {
  const { terms_version } = await deps.policy.find(deps.db)
  if ((version ?? null) !== terms_version) throw problem('invalid_request', { fields: { terms_version: 'wrong' } })
  if (!(await findUserForUpdate(deps.db, actor.user_id))) throw problem('unauthenticated')
  const { user_id } = actor
  if (version !== undefined)
    await insertAcceptedTerms(deps.db, { user_id, version, accepted_at: toTime(deps.clock.now()) })
  const next_step = await nextStepOf(deps, user_id)
  await updateNextSteps(deps.db, user_id, 'terms', next_step)
  return await signInAnswer(deps, await userInfo(deps, { ...actor, next_step: actor.next_step && next_step }))
}

/** Listens to `activity_recorded`: a new second factor completes sign-ins that wait for it. */
export async function onFactorAdded(deps: TransactionDeps, { user_id, type }: Events['activity_recorded']) {
  if (type !== 'ENABLED_OTP' && type !== 'ADDED_PASSKEY') return
  if (await hasFactor(deps, user_id)) await updateNextSteps(deps.db, user_id, 'second_factor_setup', null)
}

import { type InputOf, problem, type sessions } from '@vrata/contract'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { userInfo } from '../account/public.ts'
import { clearNextStep } from './next-step-store.ts'
import { rotateSession } from './session-lifecycle.ts'
import * as store from './store.ts'
import { waitsForNothing } from './waiting-session.ts'

/** Rotates both cookies. The session cookie suffices; `developer_id` also switches the developer account (api §2.3). */
export async function refresh(
  app: AppDeps,
  visitor: AnonymousActor,
  { developer_id }: InputOf<typeof sessions.refresh>,
) {
  // A replay ends the session, so the transaction commits before the error is thrown.
  const renewed = await app.transaction(async (deps) => {
    const renewal = await rotateSession(deps, visitor)
    if (renewal === 'unknown' || renewal === 'replayed') return undefined
    const { session } = renewal
    if (developer_id !== undefined) await switchDeveloper(deps, session, developer_id)
    const goesOn = await waitsForNothing(deps, session)
    if (goesOn) await clearNextStep(deps.db, session.id, 'second_factor_setup')
    return await userInfo(deps, {
      user_id: session.user_id,
      session_id: session.id,
      next_step: goesOn ? null : session.next_step,
      developer_id: developer_id === undefined ? session.developer_id : developer_id,
    })
  })
  if (!renewed) throw problem('unauthenticated')
  return renewed
}

/** Throws `not_found` for a developer account of which the user is not a member; the session is unchanged. */
async function switchDeveloper(
  deps: TransactionDeps,
  session: store.StoredSession,
  developer_id: string | null,
): Promise<void> {
  if (developer_id !== null) {
    const mine = await deps.memberships.list(deps.db, session.user_id)
    if (!mine.some((one) => one.developer_id === developer_id)) throw problem('not_found')
  }
  await store.updateSession(deps.db, session.id, { developer_id })
}

import { type auth, type InputOf, problem } from '@vrata/contract'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { userInfo } from '../account/door.ts'
import { renewSession } from './session.ts'
import * as store from './store.ts'

/** api.md §2: PUT /auth/refresh. The session cookie alone is enough; `developer_id` also switches. */
export async function refresh(open: OpenDeps, visitor: Visitor, { developer_id }: InputOf<typeof auth.refresh>) {
  // A replay is refused only after its transaction: what it ended must stay ended.
  const renewed = await open.transaction(async (deps) => {
    const renewal = await renewSession(deps, visitor)
    if (renewal === 'unknown' || renewal === 'replayed') return undefined
    const { session } = renewal
    if (developer_id !== undefined) await switchDeveloper(deps, session, developer_id)
    return await userInfo(deps, {
      user_id: session.user_id,
      session_id: session.id,
      developer_id: developer_id === undefined ? session.developer_id : developer_id,
    })
  })
  if (!renewed) throw problem('unauthenticated')
  return renewed
}

/** Somebody else's organisation is simply not found, and the session stays as it was. */
async function switchDeveloper(deps: Deps, session: store.StoredSession, developer_id: string | null): Promise<void> {
  if (developer_id !== null) {
    const mine = await deps.memberships.of(deps.db, session.user_id)
    if (!mine.some((one) => one.developer_id === developer_id)) throw problem('not_found')
  }
  await store.updateSession(deps.db, session.id, { developer_id })
}

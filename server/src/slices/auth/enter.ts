import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { type User, userInfo } from '../account/door.ts'
import { record } from '../activity/door.ts'
import { rememberDevice } from './known-devices.ts'
import { beginSession, type Methods } from './session.ts'

/** Everything that signing in is, once whoever it is has proven it: a session, a browser that is known, an activity. */
export async function enter(
  deps: Deps,
  visitor: Visitor,
  user: User,
  type: 'CREATED_ACCOUNT' | 'LOGGED_IN',
  methods: Methods,
) {
  const session = await beginSession(deps, visitor, user.id, methods)
  // Together, so that PostgreSQL gets them in one journey.
  const [info] = await Promise.all([
    userInfo(deps, session),
    rememberDevice(deps, visitor, session, {
      isNewAccount: type === 'CREATED_ACCOUNT',
      by_qr: methods.includes('qr'),
    }),
    record(deps, { type, user_id: user.id, from: visitor, session_id: session.session_id }),
  ])
  return info
}

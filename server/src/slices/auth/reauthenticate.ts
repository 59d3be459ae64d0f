import { type auth, type InputOf, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { OpenDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { findUser } from '../account/door.ts'
import { forgetFailures, guessKey, provePassword } from '../security/door.ts'
import { proveAgain } from './session.ts'
import * as store from './store.ts'

/** api.md §2: POST /auth/reauthenticate. Good for ten minutes in this session. */
export async function reauthenticate(open: OpenDeps, actor: Person, { password }: InputOf<typeof auth.reauthenticate>) {
  const user = await findUser(open.db, actor.user_id)
  const key = guessKey.session(actor.user_id)
  const right = await provePassword(open, { key, hash: user?.password_hash, password })
  if (!right) throw problem('invalid_password', { fields: { password: 'wrong' } })
  await open.transaction(async (deps) => {
    await forgetFailures(deps, key)
    const session = await store.lockById(deps.db, actor.session_id, toTime(deps.clock.now()))
    if (!session) throw problem('unauthenticated')
    await proveAgain(deps, actor, session)
  })
  return {}
}

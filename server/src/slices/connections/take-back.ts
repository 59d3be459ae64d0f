import { type connections, type InputOf, problem } from '@vrata/contract'
import { fromJson, toJson } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { record } from '../activity/door.ts'
import { SIGN_IN_SCOPE } from '../scopes/door.ts'
import { indexUser } from './known-user.ts'
import { dropScope } from './scope-store.ts'
import { setScopes } from './store.ts'
import { holdConnectionOf } from './unlink.ts'

/**
 * The app keeps the rest of what it was allowed. The connection is held before tokens go (decision 0197).
 */
export async function takeBackScope(
  deps: Deps,
  actor: Person,
  { client, key }: InputOf<typeof connections.takeBackScope>,
) {
  if (key === SIGN_IN_SCOPE) throw problem('invalid_request', { fields: { key: 'required' } })
  const { user_id, session_id } = actor
  const held = await holdConnectionOf(deps, user_id, client)
  if (!held) throw problem('not_found')
  const { connection, line } = held
  const before = fromJson<string[]>(connection.scopes)
  if (!before.includes(key)) throw problem('not_found')
  await deps.tell('scope_taken_back', { connection_id: connection.id, key })
  const scopes = before.filter((scope) => scope !== key)
  await setScopes(deps.db, connection.id, { scopes: toJson(scopes) })
  await indexUser(deps.db, line)
  await dropScope(deps.db, connection.id, key)
  await record(deps, {
    type: 'REVOKED_SCOPES_FROM_APP',
    user_id,
    from: actor,
    session_id,
    client_id: client,
    scopes: [key],
  })
  return { scopes }
}

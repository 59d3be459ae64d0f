import { type connections, type InputOf, problem } from '@vrata/contract'
import { fromJson, toJson } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { recordActivity } from '../activity/public.ts'
import { OPENID_SCOPE } from '../scope-catalog/public.ts'
import { updateSearchTerms } from './developer-users.ts'
import { lockConnection } from './disconnect.ts'
import { deleteConnectionScope } from './scope-store.ts'
import { updateScopes } from './store.ts'

/**
 * Revokes one granted scope; the others stay. Locks the connection before its tokens are deleted (decision 0012).
 */
export async function revokeScope(
  deps: TransactionDeps,
  actor: UserActor,
  { client, key }: InputOf<typeof connections.revokeScope>,
) {
  if (key === OPENID_SCOPE) throw problem('invalid_request', { fields: { key: 'required' } })
  const { user_id, session_id } = actor
  const locked = await lockConnection(deps, user_id, client)
  if (!locked) throw problem('not_found')
  const { connection, developerUser } = locked
  const before = fromJson<string[]>(connection.scopes)
  if (!before.includes(key)) throw problem('not_found')
  const event = key === 'offline_access' ? 'offline_access_revoked' : 'scope_revoked'
  const scopes = before.filter((scope) => scope !== key)
  await updateScopes(deps.db, connection.id, { scopes: toJson(scopes) })
  await updateSearchTerms(deps.db, developerUser)
  await deleteConnectionScope(deps.db, connection.id, key)
  // At last: it may give the connection another id.
  await deps.revoke(event, { user_id, connection_ids: [connection.id], scope: key })
  await recordActivity(deps, {
    type: 'REVOKED_SCOPES_FROM_APP',
    user_id,
    from: actor,
    session_id,
    client_id: client,
    scopes: [key],
  })
  return { scopes }
}

import { fromJson, toJson, toTime } from '../../../db/values.ts'
import type { TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordActivity } from '../../activity/public.ts'
import { withoutStandardScopes } from '../../scope-catalog/public.ts'
import type { DeveloperUserRow } from '../developer-user-store.ts'
import { updateSearchTerms } from '../developer-users.ts'
import { insertConnectionScopes } from '../scope-store.ts'
import { updateScopes, upsertConnectionForUpdate } from '../store.ts'

/**
 * Adds scopes to the connection and records an activity for new ones. Returns all granted scopes. `requested`: what the user was asked for; the
 * caller has locked all of these scopes against deletion.
 */
export async function grantScopes(
  deps: TransactionDeps,
  actor: Pick<UserActor, 'user_id' | 'session_id' | 'ip' | 'os' | 'browser' | 'request_id'>,
  client_id: string,
  { chosen, requested, developerUser }: { chosen: string[]; requested: string[]; developerUser: DeveloperUserRow },
): Promise<string[]> {
  const { user_id, session_id } = actor
  const now = toTime(deps.clock.now())
  const row = await upsertConnectionForUpdate(deps.db, {
    id: newId(deps.clock),
    user_id,
    client_id,
    scopes: toJson<string[]>([]),
    declined: toJson<string[]>([]),
    created_at: now,
    updated_at: now,
    last_used_at: null,
    blocked_at: null,
    access_lost_at: null,
    sort_name: developerUser.sort_name,
  })
  const granted = fromJson<string[]>(row.scopes)
  const added = chosen.filter((key) => !granted.includes(key))
  const scopes = [...granted, ...added]
  // Requested and not granted: the next sign-in does not ask for them again (decision 0030).
  const declined = new Set([...fromJson<string[]>(row.declined), ...requested].filter((key) => !scopes.includes(key)))
  await updateScopes(deps.db, row.id, { scopes: toJson(scopes), declined: toJson([...declined]) })
  // Through these rows a removed scope is deleted from both lists.
  await insertConnectionScopes(deps.db, row.id, withoutStandardScopes([...new Set([...added, ...requested])]))
  if (added.length === 0) return granted
  await updateSearchTerms(deps.db, developerUser)
  await recordActivity(deps, {
    type: 'GRANTED_SCOPES_TO_APP',
    user_id,
    from: actor,
    session_id,
    client_id,
    scopes: added,
  })
  const { id } = row
  // At last: it may give the connection another id.
  if (granted.length > 0)
    for (const scope of added) await deps.revoke('scope_granted', { user_id, connection_ids: [id], scope })
  return scopes
}

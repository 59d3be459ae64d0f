import { type connections, type InputOf, problem } from '@vrata/contract'
import { fromJson } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { record } from '../activity/door.ts'
import { publicClients } from '../clients/door.ts'
import { describeScopes } from '../scopes/door.ts'
import { languageOf } from './consent.ts'
import { listConnections } from './store.ts'
import { unlink } from './unlink.ts'

/** §4 A disabled app stays in the list: what it was allowed is kept. */
export async function connectedApps(deps: ReadDeps, actor: Person) {
  const rows = await listConnections(deps.db, actor.user_id)
  const apps = await publicClients(
    deps.db,
    rows.map(({ client_id }) => client_id),
  )
  const allowed = rows.map((row) => ({ ...row, scopes: fromJson<string[]>(row.scopes) }))
  const texts = await describeScopes(
    deps.db,
    [...new Set(allowed.flatMap(({ scopes }) => scopes))],
    await languageOf(deps.db, actor),
  )
  return allowed.flatMap((row) => {
    const app = apps.get(row.client_id)
    if (!app) return []
    return {
      client: app.card,
      scopes: texts.filter(({ key }) => row.scopes.includes(key)),
      connected_at: row.created_at,
      last_used_at: row.last_used_at,
      disabled: !app.enabled,
    }
  })
}

/** api.md §4: DELETE /connection/{client}. */
export async function removeConnection(deps: Deps, actor: Person, input: InputOf<typeof connections.removeConnection>) {
  const { user_id } = actor
  const found = await unlink(deps, user_id, input.client)
  if (!found) throw problem('not_found')
  const scopes = fromJson<string[]>(found.scopes)
  await record(deps, {
    type: 'REVOKED_SCOPES_FROM_APP',
    user_id,
    from: actor,
    session_id: actor.session_id,
    client_id: found.client_id,
    scopes,
  })
  return {}
}

import { type connections, type InputOf, problem } from '@vrata/contract'
import { fromJson } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { listServiceAccess, recordActivity } from '../activity/public.ts'
import { listPublicClients, type PublicClient } from '../clients/public.ts'
import { describeScopes } from '../scope-catalog/public.ts'
import { disconnect } from './disconnect.ts'
import { listConnections } from './store.ts'

/** Lists the connected clients of a user. Disabled clients are included, because their grants are kept (api §4). */
export async function listConnectedClients(
  deps: Pick<AppDeps, 'db' | 'config'>,
  actor: Pick<UserActor, 'user_id' | 'locale'>,
) {
  const rows = await listConnections(deps.db, actor.user_id)
  const uses = await listServiceAccess(deps.db, actor.user_id)
  const ids = [...rows.map(({ client_id }) => client_id), ...uses.map(({ acting_client_id }) => acting_client_id)]
  const apps = await listPublicClients(deps.db, [...new Set(ids)])
  const connections = rows.map((row) => ({ ...row, scopes: fromJson<string[]>(row.scopes) }))
  const texts = await describeScopes(deps.db, [...new Set(connections.flatMap(({ scopes }) => scopes))], actor.locale)
  return connections.flatMap((row) => {
    const app = apps.get(row.client_id)
    if (!app) return []
    return {
      client: app.card,
      scopes: texts.filter(({ key }) => row.scopes.includes(key)),
      connected_at: row.created_at,
      last_used_at: row.last_used_at,
      disabled: !app.enabled,
      open_url: app.enabled ? openUrlOf(app, deps.config.url) : null,
      services: uses.flatMap(({ client_id, acting_client_id, last_used_at }) => {
        const service = apps.get(acting_client_id)
        // Since the user has allowed the app: it may have been disconnected before.
        if (client_id !== row.client_id || !service || last_used_at < row.created_at) return []
        return { client: service.card, last_used_at }
      }),
    }
  })
}

/**
 * The address that starts a sign-in at a client (OpenID Connect Core §4). The client is told to continue at its home page
 * only where that has the origin of the address: a client must not redirect to another site.
 */
function openUrlOf({ initiate_login_uri, card }: PublicClient, iss: string): string | null {
  if (initiate_login_uri === null) return null
  const url = new URL(initiate_login_uri)
  url.searchParams.set('iss', iss)
  const home = card.home_page_url
  if (home !== null && new URL(home).origin === url.origin) url.searchParams.set('target_link_uri', home)
  return url.href
}

/** Disconnects a client (api §4). */
export async function removeConnection(
  deps: TransactionDeps,
  actor: UserActor,
  input: InputOf<typeof connections.removeConnection>,
) {
  const { user_id } = actor
  const connection = await disconnect(deps, user_id, input.client)
  if (!connection) throw problem('not_found')
  const scopes = fromJson<string[]>(connection.scopes)
  await recordActivity(deps, {
    type: 'REVOKED_SCOPES_FROM_APP',
    user_id,
    from: actor,
    session_id: actor.session_id,
    client_id: connection.client_id,
    scopes,
  })
  return {}
}

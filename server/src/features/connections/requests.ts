import type { connections } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'

/** Lists the backchannel authentication requests that wait for the user (OpenID Connect CIBA Core). */
export async function listRequests(
  deps: Pick<AppDeps, 'db' | 'interactions' | 'clientCards'>,
  actor: UserActor,
): Promise<connections.Request[]> {
  const waiting = await deps.interactions.listRequests(deps.db, actor.user_id)
  if (waiting.length === 0) return []
  const cards = await deps.clientCards.find(deps.db, [...new Set(waiting.map(({ client_id }) => client_id))])
  return waiting.flatMap(({ uid, client_id, scopes, request }) => {
    const client = cards.find((card) => card.client_id === client_id)
    return client ? [{ ...request, uid, client, scope: scopes.join(' ') }] : []
  })
}

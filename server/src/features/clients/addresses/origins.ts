import { type clients, type InputOf, LIMITS, problem } from '@vrata/contract'
import { toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { MemberActor } from '../../../http/actors.ts'
import { recordDeveloperActivity } from '../../developers/public.ts'
import { announceClientChange, findOwnClient, findOwnClientForUpdate } from '../own-client.ts'
import { deleteOrigin, insertOrigin, listOrigins } from './address-store.ts'

/** Lists the origins of a client of the actor's developer account, whose pages may call the token endpoint. */
export async function listClientOrigins(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  input: InputOf<typeof clients.listOrigins>,
) {
  return await listOrigins(deps.db, await findOwnClient(deps, actor, input.id))
}

/** Adds an origin, and returns all. Throws `too_many_uris` and `origin_taken`. */
export async function addOrigin(deps: TransactionDeps, actor: MemberActor, input: InputOf<typeof clients.addOrigin>) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  const before = await listOrigins(deps.db, client)
  if (before.length >= LIMITS.uris_per_client) {
    throw problem('too_many_uris', { params: { max: LIMITS.uris_per_client } })
  }
  const added = await insertOrigin(deps.db, client, input.origin, toTime(deps.clock.now()))
  if (!added) throw problem('origin_taken', { fields: { origin: 'taken' } })
  await deps.emit('origin_added', { client_id: client.client_id, origin: input.origin })
  await recordDeveloperActivity(deps, actor, 'ADDED_ORIGIN', {
    client_id: client.client_id,
    name: client.name,
    origin: input.origin,
  })
  await announceClientChange(deps, client.client_id)
  return [...before, input.origin]
}

/** Removes an origin, and returns the others. Throws `not_found`. */
export async function removeOrigin(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.removeOrigin>,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  const removed = await deleteOrigin(deps.db, client, input.origin)
  if (!removed) throw problem('not_found')
  await recordDeveloperActivity(deps, actor, 'REMOVED_ORIGIN', {
    client_id: client.client_id,
    name: client.name,
    origin: input.origin,
  })
  await announceClientChange(deps, client.client_id)
  return await listOrigins(deps.db, client)
}

import { type clients, type InputOf, LIMITS, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { recordInDeveloper } from '../developers/door.ts'
import { deleteOrigin, insertOrigin, listOrigins } from './address-store.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { forgetMended } from './refusals.ts'

export async function originsOf(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.listOrigins>) {
  return { origins: await listOrigins(deps.db, await ownClient(deps, actor, input.id)) }
}

export async function addOrigin(deps: Deps, actor: Member, input: InputOf<typeof clients.addOrigin>) {
  const client = await ownClientToChange(deps, actor, input.id)
  const before = await listOrigins(deps.db, client)
  if (before.length >= LIMITS.uris_per_client) {
    throw problem('too_many_uris', { params: { max: LIMITS.uris_per_client } })
  }
  const added = await insertOrigin(deps.db, client, input.origin, toTime(deps.clock.now()))
  if (!added) throw problem('origin_taken', { fields: { origin: 'taken' } })
  await forgetMended(deps, client.client_id, 'origin', input.origin)
  await recordInDeveloper(deps, actor, 'ADDED_ORIGIN', {
    client_id: client.client_id,
    name: client.name,
    origin: input.origin,
  })
  await tellChanged(deps, client.client_id)
  return { origins: [...before, input.origin] }
}

export async function removeOrigin(deps: Deps, actor: Member, input: InputOf<typeof clients.removeOrigin>) {
  const client = await ownClientToChange(deps, actor, input.id)
  const removed = await deleteOrigin(deps.db, client, input.origin)
  if (!removed) throw problem('not_found')
  await recordInDeveloper(deps, actor, 'REMOVED_ORIGIN', {
    client_id: client.client_id,
    name: client.name,
    origin: input.origin,
  })
  await tellChanged(deps, client.client_id)
  return { origins: await listOrigins(deps.db, client) }
}

import { type InputOf, LIMITS, problem, type scopes } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { isLoopbackUrl } from '../../lib/loopback.ts'
import { findOwnClient, findOwnClientForUpdate } from '../clients/public.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { findExistingScopesForShare, listScopesOfClient } from '../scope-catalog/public.ts'
import { deleteResource, insertResource, listResourcesOfClient, type ResourceRow } from './resource-store.ts'

/** Lists the API identifiers of a client of the actor's developer account. */
export async function listResources(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  { id }: InputOf<typeof scopes.listResources>,
) {
  const { client_id } = await findOwnClient(deps, actor, id)
  return (await listResourcesOfClient(deps.db, client_id)).map(toResource)
}

/** Adds an API identifier (api §9.2). It is unique in the installation, because APIs trust the audience of a token. */
export async function addResource(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, identifier, name, scopes: keys }: InputOf<typeof scopes.addResource>,
) {
  const client = await findOwnClientForUpdate(deps, actor, id)
  const { client_id } = client
  assertAllowedAddress(deps.config.url, identifier)
  const requested = [...new Set(keys)].sort()
  const defined = new Set((await listScopesOfClient(deps.db, client_id)).map(({ key }) => key))
  // Locked, so that none is removed until the transaction ends.
  const existing = await findExistingScopesForShare(deps.db, requested)
  if (!requested.every((key) => defined.has(key) && existing.has(key))) {
    throw problem('unknown_scope', { fields: { scopes: 'unknown' } })
  }
  const before = await listResourcesOfClient(deps.db, client_id)
  if (before.length >= LIMITS.resources_per_client) {
    throw problem('too_many_resources', { params: { max: LIMITS.resources_per_client } })
  }
  const created_at = toTime(deps.clock.now())
  const row = { id: newId(deps.clock), client_id, identifier, name, created_at, scopes: requested }
  if (!(await insertResource(deps.db, row))) throw problem('resource_taken', { fields: { identifier: 'taken' } })
  await recordDeveloperActivity(deps, actor, 'ADDED_RESOURCE', { client_id, name: client.name, resource: identifier })
  await deps.emit('client_changed', { client_id })
  return toResource(row)
}

/** Removes an API identifier. Throws `not_found`. */
export async function removeResource(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, resource_id }: InputOf<typeof scopes.removeResource>,
) {
  const client = await findOwnClientForUpdate(deps, actor, id)
  const { client_id } = client
  const identifier = await deleteResource(deps.db, client_id, resource_id)
  if (identifier === undefined) throw problem('not_found')
  await recordDeveloperActivity(deps, actor, 'REMOVED_RESOURCE', { client_id, name: client.name, resource: identifier })
  await deps.emit('client_changed', { client_id })
  return {}
}

/** Addresses of the server itself are names of clients; loopback addresses have no owner on a public installation. */
function assertAllowedAddress(url: string, identifier: string): void {
  if (new URL(identifier).origin === url) throw problem('resource_taken', { fields: { identifier: 'taken' } })
  if (isLoopbackUrl(identifier) && !isLoopbackUrl(url)) {
    throw problem('invalid_request', {
      message: 'Loopback addresses are accepted only while this server itself is on loopback.',
      fields: { identifier: 'https_required' },
    })
  }
}

function toResource({ id, identifier, name, scopes, created_at }: ResourceRow): scopes.Resource {
  return { resource_id: id, identifier, name, scopes, created_at }
}

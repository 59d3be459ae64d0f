import { atLeast, type clients, type InputOf, problem } from '@vrata/contract'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { knownScopes } from '../scopes/door.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { type ClientChanges, type ClientRow, deleteClientRow, updateClient } from './store.ts'

/** An app as its organisation sees it. */
export function infoOf(client: ClientRow): clients.ClientInfo {
  return {
    client_id: client.client_id,
    name: client.name,
    icon: client.icon,
    description: client.description,
    home_page_url: client.home_page_url,
    privacy_policy_url: client.privacy_policy_url,
    type: client.type as clients.ClientType,
    enabled: fromFlag(client.enabled),
    scopes: fromJson<string[]>(client.scopes),
    secret_hint: client.secret_hint,
    secret_created_at: client.secret_created_at,
    created_at: client.created_at,
  }
}

export async function clientInfo(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.getClientInfo>) {
  return infoOf(await ownClient(deps, actor, input.id))
}

export async function updateClientInfo(deps: Deps, actor: Member, input: InputOf<typeof clients.updateClientInfo>) {
  const { id, enabled, scopes, ...texts } = input
  const client = await ownClientToChange(deps, actor, id)
  const changes: ClientChanges = { ...texts }
  if (scopes) changes.scopes = toJson(await onlyKnown(deps, scopes))
  if (enabled !== undefined && enabled !== fromFlag(client.enabled)) {
    if (!atLeast(actor.permission, 'moderator')) {
      throw problem('insufficient_level', { params: { needed: 'moderator' } })
    }
    changes.enabled = toFlag(enabled)
  }
  changes.updated_at = toTime(deps.clock.now())
  await updateClient(deps.db, client, changes)
  if (changes.enabled === 0) await deps.tell('client_disabled', { client_id: client.client_id })
  await tellChanged(deps, client.client_id)
  return infoOf({ ...client, ...changes })
}

/** An app may ask for the product's own scopes and for those that some app defines, each once. */
async function onlyKnown(deps: ReadDeps, keys: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(keys)]
  const known = await knownScopes(deps.db, wanted)
  const unknown = wanted.find((key) => !known.has(key))
  if (unknown !== undefined)
    throw problem('unknown_scope', { fields: { scopes: 'unknown' }, params: { scope: unknown } })
  return wanted
}

/** For good. Whoever hears of it still finds the row, which goes last. */
export async function deleteClient(deps: Deps, actor: Member, input: InputOf<typeof clients.deleteClient>) {
  const client = await ownClientToChange(deps, actor, input.id)
  await tellDeleted(deps, client.client_id)
  await deleteClientRow(deps.db, client)
  return {}
}

/** Before the row goes: tells later slices, and every node that remembers the app. */
export async function tellDeleted(deps: Deps, client_id: string): Promise<void> {
  await deps.tell('client_deleted', { client_id })
  await deps.signals.announce('client', client_id)
}

import { atLeast, clients, type InputOf, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { changed, recordInDeveloper } from '../developers/door.ts'
import { replacePicture } from '../media/door.ts'
import { chooseScopes } from './asked-scopes.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { removeScopesOf } from './scopes.ts'
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
    scope_prefix: client.scope_prefix,
    secret_hint: client.secret_hint,
    secret_created_at: client.secret_created_at,
    secret_last_used_at: client.secret_last_used_at,
    previous_secret_until: client.previous_secret_until,
    first_sign_in_at: client.first_sign_in_at,
    created_at: client.created_at,
  }
}

export async function clientInfo(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.getClientInfo>) {
  return infoOf(await ownClient(deps, actor, input.id))
}

export async function updateClientInfo(deps: Deps, actor: Member, input: InputOf<typeof clients.updateClientInfo>) {
  const { id, enabled, scopes, ...texts } = input
  const client = await ownClientToChange(deps, actor, id)
  const about = { client_id: id, name: client.name }
  const changes: ClientChanges = { ...texts, updated_at: toTime(deps.clock.now()) }
  if (texts.name !== undefined) changes.sort_name = folded(texts.name)
  const fields = changed(client, texts)
  if (fields.length > 0) await recordInDeveloper(deps, actor, 'EDITED_APP', { ...about, fields: fields.join(' ') })
  if (scopes) {
    changes.scopes = toJson(await chooseScopes(deps, id, scopes))
    if (changes.scopes !== client.scopes) {
      await recordInDeveloper(deps, actor, 'CHANGED_APP_SCOPES', { ...about, ...difference(client, scopes) })
    }
  }
  if (enabled !== undefined && enabled !== fromFlag(client.enabled)) {
    const { needs } = clients.switchClient
    if (!atLeast(actor.permission, needs)) throw problem('insufficient_level', { params: { needed: needs } })
    changes.enabled = toFlag(enabled)
    await recordInDeveloper(deps, actor, enabled ? 'ENABLED_APP' : 'DISABLED_APP', about)
  }
  await updateClient(deps.db, client, changes)
  if (changes.enabled === 0) await deps.tell('client_disabled', { client_id: id })
  await tellChanged(deps, id)
  return infoOf({ ...client, ...changes })
}

/** What an app asks for now and did not before, and the other way round; each only if there is any. */
function difference(client: ClientRow, after: readonly string[]): { added?: string; removed?: string } {
  const before = fromJson<string[]>(client.scopes)
  const added = after.filter((key) => !before.includes(key)).join(' ')
  const removed = before.filter((key) => !after.includes(key)).join(' ')
  return { ...(added && { added }), ...(removed && { removed }) }
}

/** For good. Whoever hears of it still finds the row, which goes last. */
export async function deleteClient(deps: Deps, actor: Member, input: InputOf<typeof clients.deleteClient>) {
  const client = await ownClientToChange(deps, actor, input.id)
  await endClient(deps, client)
  await deleteClientRow(deps.db, client)
  await recordInDeveloper(deps, actor, 'DELETED_APP', { client_id: client.client_id, name: client.name })
  return {}
}

/** Before the row goes: tells later slices, and every node that remembers the app; its icon goes with it. */
export async function endClient(deps: Deps, { client_id, icon }: Pick<ClientRow, 'client_id' | 'icon'>): Promise<void> {
  await deps.tell('client_deleted', { client_id })
  await removeScopesOf(deps, client_id)
  await replacePicture(deps, icon, null)
  await deps.signals.announce('client', client_id)
}

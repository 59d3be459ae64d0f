import { atLeast, clients, type InputOf, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import {
  changedFields,
  findDeveloper,
  isApproved,
  pendingSince,
  recordDeveloperActivity,
  requireActiveDeveloper,
  requireDeveloper,
  unverify,
} from '../developers/public.ts'
import { deleteNowOrLater } from './deletion.ts'
import { announceClientChange, findOwnClient, findOwnClientForUpdate } from './own-client.ts'
import { updateRequestedScopes } from './scopes/requested-scopes.ts'
import { type ClientRow, updateClient } from './store.ts'

/** Converts a row to the API representation for members of the developer account. */
export function toClientInfo(client: ClientRow, now: Date): clients.ClientInfo {
  const { previous_secret_until: until } = client
  return {
    client_id: client.client_id,
    name: client.name,
    icon: client.icon,
    description: client.description,
    home_page_url: client.home_page_url,
    privacy_policy_url: client.privacy_policy_url,
    terms_of_service_url: client.terms_of_service_url,
    type: client.type as clients.ClientType,
    enabled: fromFlag(client.enabled),
    approval: client.approval,
    approval_reason: client.approval_reason,
    scopes: fromJson<string[]>(client.scopes),
    scope_prefix: client.scope_prefix,
    secret_hint: client.secret_hint,
    secret_created_at: client.secret_created_at,
    secret_last_used_at: client.secret_last_used_at,
    previous_secret_until: until !== null && until > toTime(now) ? until : null,
    first_sign_in_at: client.first_sign_in_at,
    created_at: client.created_at,
  }
}

/** Returns the details of a client of the actor's developer account. */
export async function getClientInfo(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  actor: MemberActor,
  input: InputOf<typeof clients.getClientInfo>,
) {
  return toClientInfo(await findOwnClient(deps, actor, input.id), deps.clock.now())
}

export async function updateClientInfo(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.updateClientInfo>,
) {
  const { id, enabled, scopes, ...texts } = input
  const client = await findOwnClientForUpdate(deps, actor, id)
  const activityParams = { client_id: id, name: client.name }
  const changes: Parameters<typeof updateClient>[2] = { ...texts, updated_at: toTime(deps.clock.now()) }
  if (texts.name !== undefined) changes.sort_name = folded(texts.name)
  const changed = changedFields(client, texts)
  const fields = Object.keys(changed).join(' ')
  const unverified = changed.name ? unverify(client) : undefined
  Object.assign(changes, unverified?.columns)
  if (fields)
    await recordDeveloperActivity(
      deps,
      actor,
      'EDITED_APP',
      { ...activityParams, fields },
      { changes: { ...changed, ...unverified?.changes } },
    )
  if (scopes) {
    changes.scopes = toJson(await updateRequestedScopes(deps, id, scopes))
    if (changes.scopes !== client.scopes) {
      const before = fromJson<string[]>(client.scopes)
      const params = { ...activityParams, ...scopeChanges(before, scopes) }
      const audited = { changes: changedFields({ scopes: before.join(' ') }, { scopes: scopes.join(' ') }) }
      await recordDeveloperActivity(deps, actor, 'CHANGED_APP_SCOPES', params, audited)
    }
  }
  if (enabled !== undefined && enabled !== fromFlag(client.enabled)) {
    const { needs } = clients.enableClient
    if (!atLeast(actor.permission, needs)) throw problem('insufficient_level', { params: { needed: needs } })
    if (!isApproved(client)) throw problem('client_not_approved')
    if (client.disabled_by !== null) throw problem('disabled_by_operator')
    // Read while the client is locked: an operator who disables the organization locks its clients, too.
    if (enabled) requireActiveDeveloper(requireDeveloper(await findDeveloper(deps.db, client.developer_id)))
    changes.enabled = toFlag(enabled)
    await recordDeveloperActivity(deps, actor, enabled ? 'ENABLED_APP' : 'DISABLED_APP', activityParams)
  }
  await updateClient(deps.db, client, changes)
  if (changes.enabled !== undefined)
    await deps.revoke(changes.enabled ? 'app_enabled' : 'app_disabled', { client_id: id })
  await announceClientChange(deps, id)
  return toClientInfo({ ...client, ...changes }, deps.clock.now())
}

/** Requests approval of a rejected client again. Other clients are not changed. */
export async function requestClientApproval(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.requestClientApproval>,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  const now = deps.clock.now()
  if (client.approval !== 'rejected') return toClientInfo(client, now)
  const changes = { ...pendingSince(now), updated_at: toTime(now) }
  await updateClient(deps.db, client, changes)
  const { client_id, developer_id, name } = client
  await recordDeveloperActivity(deps, actor, 'REQUESTED_APP_APPROVAL', { client_id, name })
  await deps.emit('approval_changed', { developer_id, client_id })
  await announceClientChange(deps, client_id)
  return toClientInfo({ ...client, ...changes }, now)
}

/** Returns added and removed scopes as space-separated lists; an empty list is left out. */
function scopeChanges(before: readonly string[], after: readonly string[]): { added?: string; removed?: string } {
  const added = after.filter((key) => !before.includes(key)).join(' ')
  const removed = before.filter((key) => !after.includes(key)).join(' ')
  return { ...(added && { added }), ...(removed && { removed }) }
}

/** Deletes a client; one with many connections disappears at once, and its rows are deleted later. */
export async function deleteClient(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.deleteClient>,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  await deleteNowOrLater(deps, client)
  await recordDeveloperActivity(deps, actor, 'DELETED_APP', { client_id: client.client_id, name: client.name })
  return {}
}

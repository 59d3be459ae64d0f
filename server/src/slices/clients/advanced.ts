import { type clients, type InputOf, problem } from '@vrata/contract'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { changed, recordInDeveloper } from '../developers/door.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { refuseForeignScheme } from './redirect-uris.ts'
import { type ClientRow, updateClient } from './store.ts'

/** The switches of an app as its columns hold them. */
export function advancedOf(client: ClientRow): clients.Advanced {
  return {
    require_client_secret: fromFlag(client.require_client_secret),
    require_pkce: fromFlag(client.require_pkce),
    allow_popup: fromFlag(client.allow_popup),
    token_endpoint_auth_method: client.token_endpoint_auth_method as clients.Advanced['token_endpoint_auth_method'],
    post_logout_redirect_uris: fromJson<string[]>(client.post_logout_redirect_uris),
    access_token_ttl: client.access_token_ttl,
    refresh_token_ttl: client.refresh_token_ttl,
  }
}

export async function advancedSettings(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.getAdvanced>) {
  return advancedOf(await ownClient(deps, actor, input.id))
}

/** What would stand afterwards is checked, not what is asked for: no order of changes gets around a rule. */
export async function updateAdvanced(deps: Deps, actor: Member, input: InputOf<typeof clients.updateAdvanced>) {
  const { id, ...changes } = input
  const client = await ownClientToChange(deps, actor, id)
  const next = consistent({ ...advancedOf(client), ...changes }, changes)
  refuseWithoutSecret(client.type, next)
  for (const uri of next.post_logout_redirect_uris) refuseForeignScheme(client.type, uri, 'post_logout_redirect_uris')
  await updateClient(deps.db, client, {
    ...next,
    require_client_secret: toFlag(next.require_client_secret),
    require_pkce: toFlag(next.require_pkce),
    allow_popup: toFlag(next.allow_popup),
    post_logout_redirect_uris: toJson(next.post_logout_redirect_uris),
    updated_at: toTime(deps.clock.now()),
  })
  const fields = changed(toComparable(advancedOf(client)), toComparable(next))
  if (fields.length > 0) {
    await recordInDeveloper(deps, actor, 'CHANGED_ADVANCED', {
      client_id: id,
      name: client.name,
      fields: fields.join(' '),
    })
  }
  await tellChanged(deps, client.client_id)
  return next
}

/** Values that can be told apart by `===`. */
function toComparable(settings: clients.Advanced): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]))
}

/**
 * §5 PKCE may be off only while the secret is required (RFC 9700 §2.1.1). A service has nothing but its secret: without
 * one, anybody could take its tokens (RFC 6749 §4.4).
 */
function refuseWithoutSecret(type: string, next: clients.Advanced): void {
  if (!next.require_client_secret && (!next.require_pkce || type === 'service')) {
    throw problem('secret_required', { fields: { require_client_secret: 'required' } })
  }
}

/**
 * A secret that is required is also presented, so the method cannot be `none`. Asking for both is a mistake; asking only
 * for the secret chooses the usual method. A secret that is not required may still be presented by any method.
 */
function consistent(next: clients.Advanced, changes: Partial<clients.Advanced>): clients.Advanced {
  const uris = [...new Set(next.post_logout_redirect_uris)]
  if (!next.require_client_secret || next.token_endpoint_auth_method !== 'none') {
    return { ...next, post_logout_redirect_uris: uris }
  }
  if (changes.token_endpoint_auth_method === 'none') {
    throw problem('invalid_request', {
      message: 'An app that must present its secret needs a method for it.',
      fields: { token_endpoint_auth_method: 'wrong' },
    })
  }
  return { ...next, token_endpoint_auth_method: 'client_secret_basic', post_logout_redirect_uris: uris }
}

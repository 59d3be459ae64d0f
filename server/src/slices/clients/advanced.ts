import { type clients, type InputOf, problem } from '@vrata/contract'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { isFresh } from '../../edge/fence.ts'
import { isLoopbackUrl } from '../../ports/outbound.ts'
import { changed, recordInDeveloper } from '../developers/door.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { refuseForeignScheme } from './redirect-uris.ts'
import { type ClientRow, updateClient } from './store.ts'

type Changes = Partial<clients.Advanced>

/** By what an app proves who it is: changed like its secret, after a fresh sign-in (decision 0171). */
const PROOFS: readonly string[] = [
  'require_client_secret',
  'token_endpoint_auth_method',
  'jwks',
  'jwks_uri',
] satisfies (keyof clients.Advanced)[]

/** The switches of an app as its columns hold them. */
export function advancedOf(client: ClientRow): clients.Advanced {
  return {
    require_client_secret: fromFlag(client.require_client_secret),
    require_pkce: fromFlag(client.require_pkce),
    require_nonce: fromFlag(client.require_nonce),
    allow_popup: fromFlag(client.allow_popup),
    token_endpoint_auth_method: client.token_endpoint_auth_method as clients.Advanced['token_endpoint_auth_method'],
    jwks: client.jwks === null ? null : fromJson(client.jwks),
    jwks_uri: client.jwks_uri,
    id_token_signed_response_alg: client.id_token_signed_response_alg as clients.SigningAlgorithm,
    access_token_format: client.access_token_format as clients.Advanced['access_token_format'],
    dpop_bound_access_tokens: fromFlag(client.dpop_bound_access_tokens),
    require_pushed_authorization_requests: fromFlag(client.require_pushed_authorization_requests),
    backchannel_logout_uri: client.backchannel_logout_uri,
    post_logout_redirect_uris: fromJson<string[]>(client.post_logout_redirect_uris),
    access_token_ttl: client.access_token_ttl,
    refresh_token_ttl: client.refresh_token_ttl,
  }
}

/** The same as columns. */
export function advancedColumns(settings: clients.Advanced) {
  return {
    ...settings,
    require_client_secret: toFlag(settings.require_client_secret),
    require_pkce: toFlag(settings.require_pkce),
    require_nonce: toFlag(settings.require_nonce),
    allow_popup: toFlag(settings.allow_popup),
    jwks: settings.jwks === null ? null : toJson(settings.jwks),
    dpop_bound_access_tokens: toFlag(settings.dpop_bound_access_tokens),
    require_pushed_authorization_requests: toFlag(settings.require_pushed_authorization_requests),
    post_logout_redirect_uris: toJson(settings.post_logout_redirect_uris),
  }
}

export async function advancedSettings(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.getAdvanced>) {
  return advancedOf(await ownClient(deps, actor, input.id))
}

/** What would stand afterwards is checked, not what is asked for: no order of changes gets around a rule. */
export async function updateAdvanced(deps: Deps, actor: Member, input: InputOf<typeof clients.updateAdvanced>) {
  const { id, ...changes } = input
  const client = await ownClientToChange(deps, actor, id)
  const next = consistent(advancedOf(client), changes)
  refuseUnsafe(deps, client.type, next)
  const fields = changed(toComparable(advancedOf(client)), toComparable(next))
  // Whoever had only a stolen session would have the app, too (ASVS 7.5.3).
  if (PROOFS.some((one) => fields.includes(one)) && !isFresh(deps.clock, actor)) {
    throw problem('reauthentication_required')
  }
  await updateClient(deps.db, client, { ...advancedColumns(next), updated_at: toTime(deps.clock.now()) })
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

/** Throws where an app with these settings could not prove who it is, or would make us call where we must not. */
export function refuseUnsafe(deps: Pick<Deps, 'config'>, type: string, next: clients.Advanced): void {
  refuseWithoutSecret(type, next)
  refuseWithoutKeys(next)
  for (const uri of next.post_logout_redirect_uris) refuseForeignScheme(type, uri, 'post_logout_redirect_uris')
  for (const field of ['jwks_uri', 'backchannel_logout_uri'] as const) {
    // Loopback is another machine's for everybody but somebody who tries Vrata on their own (security.md, ASVS 1.3.6).
    const url = next[field]
    if (url?.startsWith('http:') && !isLoopbackUrl(deps.config.url)) {
      throw problem('invalid_request', { fields: { [field]: 'https_required' } })
    }
  }
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

/** An app that proves itself by its key must have told us the key; two sources of keys would be one too many. */
function refuseWithoutKeys({ token_endpoint_auth_method, jwks, jwks_uri }: clients.Advanced): void {
  if (jwks && jwks_uri) throw problem('invalid_request', { fields: { jwks_uri: 'wrong' } })
  if (token_endpoint_auth_method === 'private_key_jwt' && !jwks && !jwks_uri) {
    throw problem('keys_required', { fields: { jwks: 'required' } })
  }
}

/**
 * What is required is also presented, so the method cannot be `none`. Asking for both is a mistake; asking for one of
 * them settles the other. A key is never optional: an app that has one proves itself with it every time. New keys by
 * value take the place of an address, and the other way round.
 */
function consistent(before: clients.Advanced, changes: Changes): clients.Advanced {
  const next = { ...before, ...changes }
  next.post_logout_redirect_uris = [...new Set(next.post_logout_redirect_uris)]
  if (changes.jwks && changes.jwks_uri === undefined) next.jwks_uri = null
  if (changes.jwks_uri && changes.jwks === undefined) next.jwks = null
  const { require_client_secret: required, token_endpoint_auth_method: method } = next
  if (required && method === 'none') {
    if (changes.token_endpoint_auth_method === 'none') throw wrongMethod()
    next.token_endpoint_auth_method = 'client_secret_basic'
  }
  if (!required && method === 'private_key_jwt') {
    if (changes.token_endpoint_auth_method === undefined) next.token_endpoint_auth_method = 'none'
    else if (changes.require_client_secret === undefined) next.require_client_secret = true
    else throw wrongMethod()
  }
  return next
}

function wrongMethod() {
  return problem('invalid_request', {
    message: 'Whether an app must prove itself, and by what method, contradict each other.',
    fields: { token_endpoint_auth_method: 'wrong' },
  })
}

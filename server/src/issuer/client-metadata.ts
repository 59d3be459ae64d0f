import { randomBytes } from 'node:crypto'
import { clients } from '@vrata/contract'
import { type AllClientMetadata, errors } from 'oidc-provider'
import type { IssuerClient } from '../slices/clients/door.ts'
import type { Scopes } from './resources.ts'
import { RESPONSE_MODES, WEB_MESSAGE } from './response-modes.ts'

/** An app that its developers have switched off: refused everywhere, forgotten nowhere (specification §4). */
export class ClientDisabled extends errors.InvalidClient {
  readonly client_id: string
  constructor(client_id: string) {
    super('client is disabled')
    this.client_id = client_id
    this.status = 401
    this.statusCode = 401
  }
}

/**
 * Stands where the engine wants a secret in plain. It is never compared (`compareClientSecret` is ours) and nobody knows
 * it, so that even an engine that ignored us could let nobody in.
 */
const NOBODY_KNOWS = randomBytes(32).toString('base64url')

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Our row as the engine's client metadata (OpenID Connect Dynamic Registration §2). */
export function metadataOf(
  client: IssuerClient,
  known: Scopes,
  { secretSent, keys }: { secretSent: boolean; keys: IssuerClient['jwks'] },
): AllClientMetadata {
  const native = client.type === 'native' || client.redirect_uris.some((uri) => !/^https?:/.test(uri))
  const usable = (uris: readonly string[]) => (native ? uris.filter((uri) => !isHttpsLoopback(uri)) : [...uris])
  const redirect_uris = usable(client.redirect_uris)
  return {
    client_id: client.client_id,
    client_name: client.name,
    application_type: native ? 'native' : 'web',
    redirect_uris,
    post_logout_redirect_uris: usable(client.post_logout_redirect_uris),
    // Without a redirect URI there is nothing to answer to yet; refusing is the engine's, not a broken row's.
    response_types: redirect_uris.length > 0 ? ['code'] : [],
    response_modes: client.allow_popup ? [...RESPONSE_MODES, WEB_MESSAGE] : [...RESPONSE_MODES],
    grant_types: grantTypesOf(client.type, redirect_uris.length > 0),
    scope: allowedScopes(client, known).join(' '),
    require_pkce: client.require_pkce,
    access_token_ttl: client.access_token_ttl,
    refresh_token_ttl: client.refresh_token_ttl,
    origins: client.origins,
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    dpop_bound_access_tokens: client.dpop_bound_access_tokens,
    require_pushed_authorization_requests: client.require_pushed_authorization_requests,
    require_nonce: client.require_nonce,
    ...(client.backchannel_logout_uri
      ? { backchannel_logout_uri: client.backchannel_logout_uri, backchannel_logout_session_required: true }
      : {}),
    jwks: (keys ?? { keys: [] }) as AllClientMetadata['jwks'],
    ...proofOf(client, secretSent),
  }
}

/**
 * How the app may come by tokens. Only a service does in its own name; only what people install may run on something
 * without a browser.
 */
export function grantTypesOf(type: clients.ClientType, answerable: boolean): string[] {
  return [
    'refresh_token',
    ...(answerable ? ['authorization_code'] : []),
    ...(type === 'service' ? ['client_credentials'] : []),
    ...(type === 'native' ? [clients.DEVICE_GRANT] : []),
  ]
}

/** How the app must prove itself now: by its key, by a secret, or not at all. */
function proofOf(client: IssuerClient, secretSent: boolean): Partial<AllClientMetadata> {
  if (client.token_endpoint_auth_method === 'private_key_jwt') return { token_endpoint_auth_method: 'private_key_jwt' }
  if (client.require_client_secret || (secretSent && client.secret_hash !== null)) {
    return { token_endpoint_auth_method: 'client_secret_basic', client_secret: NOBODY_KNOWS }
  }
  return { token_endpoint_auth_method: 'none' }
}

/** What the app may ask for, as far as it exists. Never empty: the engine would read that as "everything". */
export function allowedScopes(client: Pick<IssuerClient, 'scopes'>, known: Pick<Scopes, 'has'>): string[] {
  const allowed = client.scopes.filter((scope) => known.has(scope))
  return allowed.length > 0 ? allowed : ['openid']
}

/** An app that keeps no secret and is not reached through a web address of its own (RFC 8252 §8.6). */
export function isUnassured(client: Pick<IssuerClient, 'require_client_secret'>, redirect_uri: unknown): boolean {
  return !client.require_client_secret && !(typeof redirect_uri === 'string' && redirect_uri.startsWith('https:'))
}

/** The engine takes no such address from a native app, and would refuse the whole app for it. */
function isHttpsLoopback(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'https:' && LOOPBACK.has(url.hostname)
}

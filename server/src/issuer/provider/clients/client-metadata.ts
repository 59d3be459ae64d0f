import { clients } from '@vrata/contract'
import { TLS_SUBJECTS } from '@vrata/contract/client-certificates'
import type { AllClientMetadata, ClientMetadata } from 'oidc-provider'
import type { Config } from '../../../config/config.ts'
import { ANY_SCOPE, type IssuerClient, UNREGISTERED } from '../../../features/clients/public.ts'
import type { Scopes } from '../../tokens/resources.ts'
import { clientScope, PLACEHOLDER_CLIENT_SECRET, withHttps, withoutHttpsLoopback } from '../compat/compat.ts'

/** OAuth 2.0 Multiple Response Type Encoding Practices §2.1, OAuth 2.0 Form Post Response Mode. */
export const RESPONSE_MODES = ['query', 'form_post', 'fragment'] as const
/** Response modes whose response is a signed JWT (JARM §2.3). */
export const JWT_RESPONSE_MODES = ['jwt', 'query.jwt', 'form_post.jwt', 'fragment.jwt'] as const
/** Posts the response to the page that opened a popup; only for clients with `allow_popup` (decision 0041). */
export const WEB_MESSAGE = 'web_message'

/** The methods of client authentication that the settings of the operator allow. */
export function authMethodsOf({ mtls }: Pick<Config, 'mtls'>): (typeof clients.AUTH_METHODS)[number][] {
  return clients.AUTH_METHODS.filter((method) => {
    if (method === 'tls_client_auth') return mtls?.verified_header !== undefined
    return method !== 'self_signed_tls_client_auth' || mtls !== undefined
  })
}

/** Our settings among the metadata of oidc-provider's client (`extraClientMetadata`). */
export const OWN_METADATA = [
  'require_pkce',
  'require_nonce',
  'access_token_ttl',
  'refresh_token_ttl',
  'id_token_claims',
  'security_profile',
  'origins',
  'frontchannel_logout_uri',
  'sector_identifier',
] as const
export type OwnMetadata = Pick<IssuerClient, (typeof OWN_METADATA)[number]>

/** Our settings of a client of oidc-provider. */
export function ownMetadata(client: unknown): OwnMetadata {
  return client as ClientMetadata & OwnMetadata
}

/** Hook `features.fapi.profile`. Undefined for a request that names no client. */
export function fapiProfile(client: unknown): '2.0' | undefined {
  return client && ownMetadata(client).security_profile === 'fapi2' ? '2.0' : undefined
}

/** Our client as oidc-provider's client metadata (OpenID Connect Dynamic Client Registration §2). */
export function clientMetadata(
  client: IssuerClient,
  known: Scopes,
  { secretSent, keys }: { secretSent: boolean; keys: IssuerClient['jwks'] },
): AllClientMetadata {
  const native = client.type === 'native' || client.redirect_uris.some((uri) => !/^https?:/.test(uri))
  const acceptable = (uris: readonly string[]) => (native ? withoutHttpsLoopback(uris) : [...uris])
  const redirect_uris = acceptable(client.redirect_uris)
  return {
    client_id: client.client_id,
    client_name: client.name,
    application_type: native ? 'native' : 'web',
    redirect_uris,
    post_logout_redirect_uris: acceptable(client.post_logout_redirect_uris),
    // Without a redirect URI the client is still valid, and its authorization requests are rejected.
    response_types: redirect_uris.length > 0 ? ['code'] : [],
    response_modes: responseModesOf(client),
    grant_types: grantTypesOf({ ...client, redirect_uris, type: isUnregistered(client) ? 'spa' : client.type }),
    ...(client.scopes[0] === ANY_SCOPE
      ? {}
      : { scope: clientScope(client.scopes.filter((scope) => known.has(scope))) }),
    require_pkce: client.require_pkce,
    access_token_ttl: client.access_token_ttl,
    refresh_token_ttl: client.refresh_token_ttl,
    id_token_claims: client.id_token_claims,
    security_profile: client.security_profile,
    ...(client.request_object_signing_alg ? { request_object_signing_alg: client.request_object_signing_alg } : {}),
    require_signed_request_object: client.require_signed_request_object,
    authorization_signed_response_alg: responseAlg(client, 'authorization_signed_response_alg'),
    introspection_signed_response_alg: responseAlg(client, 'introspection_signed_response_alg'),
    ...(client.userinfo_signed_response_alg
      ? { userinfo_signed_response_alg: client.userinfo_signed_response_alg }
      : {}),
    origins: client.origins,
    frontchannel_logout_uri: client.frontchannel_logout_uri,
    sector_identifier: client.sector_identifier,
    // The sector has been validated with the settings; as a URI, it is that of test sign-ins, too.
    ...(client.sector_identifier !== null
      ? { subject_type: 'pairwise', sector_identifier_uri: `https://${client.sector_identifier}/` }
      : {}),
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    dpop_bound_access_tokens: client.dpop_bound_access_tokens,
    tls_client_certificate_bound_access_tokens: client.tls_client_certificate_bound_access_tokens,
    require_pushed_authorization_requests: client.require_pushed_authorization_requests,
    require_nonce: client.require_nonce,
    ...(client.backchannel_logout_uri
      ? { backchannel_logout_uri: client.backchannel_logout_uri, backchannel_logout_session_required: true }
      : {}),
    ...cibaMetadata(client),
    jwks: (keys ?? { keys: [] }) as AllClientMetadata['jwks'],
    ...authenticationOf(client, secretSent),
  }
}

/** A client that has registered the algorithm of its authorization responses gets no unsigned ones (JARM §3). */
function responseModesOf({ allow_popup, authorization_signed_response_alg }: IssuerClient): string[] {
  if (authorization_signed_response_alg) return [...JWT_RESPONSE_MODES]
  return [...RESPONSE_MODES, ...JWT_RESPONSE_MODES, ...(allow_popup ? [WEB_MESSAGE] : [])]
}

/** The registered algorithm, or the default: RS256 (JARM §3, RFC 9701 §6), which FAPI 2.0 replaces by that of ID tokens. */
function responseAlg(
  client: IssuerClient,
  setting: 'authorization_signed_response_alg' | 'introspection_signed_response_alg',
): clients.SigningAlgorithm {
  const byDefault = client.security_profile === 'fapi2' ? client.id_token_signed_response_alg : 'RS256'
  return client[setting] ?? byDefault
}

/**
 * Only a service uses client credentials and acts for users of other apps (RFC 8693); only an installed app may run on a
 * device without a browser (RFC 8628).
 */
export function grantTypesOf({
  type,
  redirect_uris,
  backchannel_token_delivery_mode,
}: Pick<IssuerClient, 'type' | 'redirect_uris' | 'backchannel_token_delivery_mode'>): string[] {
  return [
    'refresh_token',
    ...(redirect_uris.length > 0 ? ['authorization_code'] : []),
    ...(type === 'service' ? ['client_credentials', clients.TOKEN_EXCHANGE_GRANT] : []),
    ...(type === 'native' ? [clients.DEVICE_GRANT] : []),
    ...(backchannel_token_delivery_mode ? [clients.CIBA_GRANT] : []),
  ]
}

/** OpenID Connect CIBA Core §4. */
function cibaMetadata(client: IssuerClient): Partial<AllClientMetadata> {
  const {
    backchannel_token_delivery_mode: mode,
    backchannel_client_notification_endpoint: endpoint,
    backchannel_authentication_request_signing_alg: alg,
  } = client
  if (mode === null) return {}
  return {
    backchannel_token_delivery_mode: mode,
    ...(endpoint ? { backchannel_client_notification_endpoint: withHttps(endpoint) } : {}),
    ...(alg ? { backchannel_authentication_request_signing_alg: alg } : {}),
  }
}

/** The authentication method of this request: the client's key, its secret, or none (protocol §2.2). */
function authenticationOf(client: IssuerClient, secretSent: boolean): Partial<AllClientMetadata> {
  if (client.token_endpoint_auth_method === 'private_key_jwt') {
    const { token_endpoint_auth_signing_alg: alg } = client
    return {
      token_endpoint_auth_method: 'private_key_jwt',
      ...(alg ? { token_endpoint_auth_signing_alg: alg } : {}),
    }
  }
  if (client.token_endpoint_auth_method === 'self_signed_tls_client_auth') {
    return { token_endpoint_auth_method: 'self_signed_tls_client_auth' }
  }
  if (client.token_endpoint_auth_method === 'tls_client_auth') {
    const name = TLS_SUBJECTS.find((one) => client[one] !== null)
    return { token_endpoint_auth_method: 'tls_client_auth', ...(name ? { [name]: client[name] as string } : {}) }
  }
  if (client.require_client_secret || (secretSent && client.secret_hash !== null)) {
    return { token_endpoint_auth_method: 'client_secret_basic', client_secret: PLACEHOLDER_CLIENT_SECRET }
  }
  return { token_endpoint_auth_method: 'none' }
}

/** Whether another app could pose as the client: it has no secret and no https redirect URI (RFC 8252 §8.6). */
export function isUnidentified(client: Pick<IssuerClient, 'require_client_secret'>, redirect_uri: unknown): boolean {
  return !client.require_client_secret && !(typeof redirect_uri === 'string' && redirect_uri.startsWith('https:'))
}

/**
 * Whether the client is identified by its metadata document alone. It gets no device codes: a user who enters one would see
 * no address to which the answer goes, and anybody can publish a document (RFC 8628 §5.4).
 */
function isUnregistered({ developer_id }: Pick<IssuerClient, 'developer_id'>): boolean {
  return developer_id === UNREGISTERED
}

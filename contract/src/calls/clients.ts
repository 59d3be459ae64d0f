import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIFETIMES } from '../lifetimes.ts'
import { LIMITS } from '../limits.ts'
import { approval } from './approval.ts'
import { TLS_AUTH_METHODS, tlsSubjects } from './client-certificates.ts'
import { jwks } from './client-keys.ts'
import { pictureUpload } from './media.ts'

export * from './client-addresses.ts'

/** Client types; they determine the initial settings of PKCE and client secret (api §6.1). */
export const CLIENT_TYPES = ['web', 'spa', 'native', 'service'] as const
export type ClientType = (typeof CLIENT_TYPES)[number]
/** Requested scopes of a new client (api §6.1). */
export const DEFAULT_CLIENT_SCOPES = ['openid', 'profile', 'email'] as const
/** Client authentication with a key of the client in place of a secret. */
export const KEY_AUTH_METHODS = ['private_key_jwt', ...TLS_AUTH_METHODS] as const
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', ...KEY_AUTH_METHODS, 'none'] as const
/** Grant type of the device access token request (RFC 8628 §3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** Token exchange (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
/** Grant type of the token request of a backchannel authentication request (OpenID Connect CIBA Core §10.1). */
export const CIBA_GRANT = 'urn:openid:params:grant-type:ciba'
/** All grant types of the token endpoint. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  DEVICE_GRANT,
  TOKEN_EXCHANGE_GRANT,
  CIBA_GRANT,
] as const
/** How a client learns that the user has answered: it asks, or it is notified and then asks (OpenID Connect CIBA Core §5). */
export const DELIVERY_MODES = ['poll', 'ping'] as const
/**
 * Signature algorithms of ID tokens. The first is the default of new clients, because a client that has registered nothing
 * expects it (OpenID Connect Core §3.1.3.7).
 */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]
/** Signature algorithms of client assertions, DPoP proofs and request objects: asymmetric ones only (RFC 8725 §3.1). */
export const CLIENT_SIGNING_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'] as const
/** `fapi2`: the rules of the FAPI 2.0 Security Profile, which fix several settings. */
export const SECURITY_PROFILES = ['standard', 'fapi2'] as const
/** `pairwise`: clients of different sectors get different `sub` values for one user (OpenID Connect Core §8). */
export const SUBJECT_TYPES = ['public', 'pairwise'] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]
/** Content of ID tokens: the claims of the granted scopes, or those alone that say who signed in and how. */
export const ID_TOKEN_CLAIMS = ['scopes', 'minimal'] as const
/** `jwt`: resource servers verify the token themselves (RFC 9068), so it is valid until it expires. */
export const TOKEN_FORMATS = ['opaque', 'jwt'] as const

const params = z.object({ id: f.id })

export const clientInfo = z.object({
  client_id: f.id,
  name: z.string(),
  icon: f.picture,
  description: z.string().nullable(),
  home_page_url: z.string().nullable(),
  privacy_policy_url: z.string().nullable(),
  terms_of_service_url: z.string().nullable(),
  type: z.enum(CLIENT_TYPES),
  enabled: z.boolean(),
  /** An app that is not approved is not enabled. */
  ...approval,
  scopes: z.array(z.string()),
  /** Prefix of the scopes that the client defines; reserved permanently with the first of them. */
  scope_prefix: z.string().nullable(),
  /** Last four characters of the secret. */
  secret_hint: z.string().nullable(),
  secret_created_at: f.time.nullable(),
  /** Last client authentication with the current secret, accurate to a minute; null if there was none. */
  secret_last_used_at: f.time.nullable(),
  /** Time until which the previous secret is valid; null when it is not. */
  previous_secret_until: f.time.nullable(),
  /** When the client first received tokens for a user. */
  first_sign_in_at: f.time.nullable(),
  created_at: f.time,
})
export type ClientInfo = z.output<typeof clientInfo>

export const listedClient = clientInfo.extend({
  /** Sign-ins of the last seven days; null below the level `analyst` (api §5.1). */
  week_sign_ins: z.number().int().nullable(),
})
export type ListedClient = z.output<typeof listedClient>

export const createClient = route('POST', '/client', {
  summary: 'Create an app. Only this answer contains the client secret. It may wait for approval, as the policy says.',
  needs: 'developer',
  status: 201,
  body: z.object({
    name: f.entityName,
    type: z.enum(CLIENT_TYPES).default('web'),
    description: f.text(LIMITS.description_max).nullable().optional(),
    home_page_url: f.pageUrl.nullable().optional(),
    redirect_uri: f.redirectUri.optional(),
  }),
  data: clientInfo.extend({ client_secret: z.string().nullable() }),
  problems: ['limit_reached', 'disabled_by_operator'],
})

export const CLIENT_SORTS = ['name', 'newest'] as const
export type ClientSort = (typeof CLIENT_SORTS)[number]

export const listClients = route('GET', '/client', {
  summary:
    'List the apps of the developer account; `query` filters by part of the name, `enabled` by whether people can sign in.',
  needs: 'member',
  page: true,
  query: z.object({
    query: f.line(LIMITS.search_max).optional(),
    enabled: f.flag.optional(),
    sort: z.enum(CLIENT_SORTS).default('name'),
    ...f.cursorQuery,
  }),
  data: z.array(listedClient),
})

export const getClient = route('GET', '/client/:id', {
  summary: 'Get an app; the same as its section `info`.',
  needs: 'member',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

export const getClientInfo = route('GET', '/client/:id/info', {
  summary: 'Get an app.',
  needs: 'member',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

/** Level that changing `enabled` in {@link updateClientInfo} requires; higher than the rest of the call (api §5.1). */
export const enableClient = { needs: 'moderator' } as const

export const updateClientInfo = route('PUT', '/client/:id/info', {
  summary: 'Update an app. Changing `enabled` requires the level moderator.',
  needs: 'developer',
  params,
  body: z.object({
    name: f.entityName.optional(),
    description: f.text(LIMITS.description_max).nullable().optional(),
    home_page_url: f.pageUrl.nullable().optional(),
    privacy_policy_url: f.pageUrl.nullable().optional(),
    terms_of_service_url: f.pageUrl.nullable().optional(),
    enabled: z.boolean().optional(),
    scopes: z.array(f.scopeKey).min(1).max(LIMITS.requested_scopes).optional(),
  }),
  data: clientInfo,
  problems: ['not_found', 'unknown_scope', 'disabled_by_operator', 'client_not_approved'],
})

export const requestClientApproval = route('POST', '/client/:id/approval', {
  summary: 'Ask once more to approve a rejected app. One that waits or is approved stays as it is.',
  needs: 'developer',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

export const setIcon = route('PUT', '/client/:id/icon', {
  summary: 'Set the icon: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels; not cropped.',
  needs: 'developer',
  params,
  multipart: 'icon',
  ...pictureUpload,
  data: clientInfo,
  problems: ['not_found', ...pictureUpload.problems],
})

export const removeIcon = route('DELETE', '/client/:id/icon', {
  summary: 'Remove the icon.',
  needs: 'developer',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

export const deleteClient = route('DELETE', '/client/:id', {
  summary: 'Delete an app with its scopes and its connections.',
  needs: 'admin',
  unapproved: true,
  fresh: true,
  params,
  data: f.nothing,
  problems: ['not_found'],
})

/** Protocol settings of a client (product §3.4, api §6.3). */
export const advanced = z.object({
  require_client_secret: z.boolean(),
  require_pkce: z.boolean(),
  /** Rejects authorization requests without `nonce`, which may replace PKCE (OAuth 2.1). */
  require_nonce: z.boolean(),
  allow_popup: z.boolean(),
  security_profile: z.enum(SECURITY_PROFILES),
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  /** The only algorithm of client assertions; null for every supported one (OpenID Connect Registration §2). */
  token_endpoint_auth_signing_alg: z.enum(CLIENT_SIGNING_ALGORITHMS).nullable(),
  /** The only algorithm of request objects; null for every supported one (OpenID Connect Registration §2). */
  request_object_signing_alg: z.enum(CLIENT_SIGNING_ALGORITHMS).nullable(),
  /** Requires signed authorization requests (JAR, RFC 9101 §10.5). */
  require_signed_request_object: z.boolean(),
  /**
   * With an algorithm, authorization responses are signed with it, and no other response mode is accepted (JARM §3). Null: the
   * response mode of the request decides, and `jwt` signs with the default, RS256, or with FAPI 2.0 the algorithm of ID tokens.
   */
  authorization_signed_response_alg: z.enum(SIGNING_ALGORITHMS).nullable(),
  /** With an algorithm, userinfo answers with a signed JWT; null for JSON (OpenID Connect Core §5.3.2). */
  userinfo_signed_response_alg: z.enum(SIGNING_ALGORITHMS).nullable(),
  /** Algorithm of introspection responses that the client requests as JWT (RFC 9701 §6); null for the default, as above. */
  introspection_signed_response_alg: z.enum(SIGNING_ALGORITHMS).nullable(),
  /** Public keys by value or by URL; at most one of the two (RFC 7591 §2). */
  jwks: jwks.nullable(),
  jwks_uri: f.serverUrl.nullable(),
  ...tlsSubjects.shape,
  id_token_signed_response_alg: z.enum(SIGNING_ALGORITHMS),
  /** `scopes`: ID tokens carry the claims of the granted scopes, as userinfo does (OpenID Connect Core §5.4). */
  id_token_claims: z.enum(ID_TOKEN_CLAIMS),
  subject_type: z.enum(SUBJECT_TYPES),
  /** Address of a list of the redirect URIs, whose host is the sector (OpenID Connect Core §8.1). */
  sector_identifier_uri: f.serverUrl.nullable(),
  /** Format of access tokens for the scopes that this client defines. */
  access_token_format: z.enum(TOKEN_FORMATS),
  /** Access tokens are bound to a key of the client (DPoP, RFC 9449). */
  dpop_bound_access_tokens: z.boolean(),
  /** Access tokens are bound to the TLS certificate of the client (RFC 8705 §3); excludes DPoP. */
  tls_client_certificate_bound_access_tokens: z.boolean(),
  /** Requires pushed authorization requests (RFC 9126). */
  require_pushed_authorization_requests: z.boolean(),
  /** Receives logout tokens (OpenID Connect Back-Channel Logout §2.2). */
  backchannel_logout_uri: f.serverUrl.nullable(),
  /**
   * Loaded in a frame when a session ends in the browser; its origin is that of a redirect URI (OpenID Connect Front-Channel
   * Logout §2).
   */
  frontchannel_logout_uri: f.browserUrl.nullable(),
  /** Adds `iss` and `sid` to the front-channel logout URI (OpenID Connect Front-Channel Logout §3). */
  frontchannel_logout_session_required: z.boolean(),
  /** Page of the client that starts a sign-in (OpenID Connect Core §4). */
  initiate_login_uri: f.httpsUrl.nullable(),
  /** Lets the app send backchannel authentication requests; null turns them off (OpenID Connect CIBA Core §4). */
  backchannel_token_delivery_mode: z.enum(DELIVERY_MODES).nullable(),
  /** Is notified in the mode `ping`, which requires it (OpenID Connect CIBA Core §10.2). */
  backchannel_client_notification_endpoint: f.serverUrl.nullable(),
  /** Requires signed backchannel authentication requests with this algorithm; null leaves them optional. */
  backchannel_authentication_request_signing_alg: z.enum(CLIENT_SIGNING_ALGORITHMS).nullable(),
  post_logout_redirect_uris: z.array(f.redirectUri).max(LIMITS.uris_per_client),
  /** Seconds. */
  access_token_ttl: z.number().int().min(60).max(LIFETIMES.access_token_max),
  /** Seconds without use after which a refresh token expires. */
  refresh_token_ttl: z.number().int().min(3600).max(LIFETIMES.refresh_absolute),
})
export type Advanced = z.output<typeof advanced>

export const getAdvanced = route('GET', '/client/:id/advanced', {
  summary: 'Get the advanced settings of an app.',
  needs: 'member',
  params,
  data: advanced,
  problems: ['not_found'],
})

export const updateAdvanced = route('PUT', '/client/:id/advanced', {
  summary:
    'Update advanced settings. Without PKCE the client secret must stay required. Changing client authentication requires a fresh sign-in.',
  needs: 'developer',
  params,
  body: advanced.partial(),
  data: advanced,
  // `reauthentication_required`: for changes of client authentication, like for a new secret.
  problems: [
    'not_found',
    'secret_required',
    'keys_required',
    'certificates_not_accepted',
    'fixed_by_profile',
    'reauthentication_required',
  ],
})

export const regenerateSecret = route('PUT', '/client/:id/secret/regenerate', {
  summary: 'Replace the client secret; only this answer contains it. `grace` keeps the old one valid for 24 hours.',
  needs: 'developer',
  fresh: true,
  params,
  body: z.object({ grace: z.boolean().optional() }),
  data: clientInfo
    .pick({ secret_hint: true, secret_created_at: true, secret_last_used_at: true, previous_secret_until: true })
    .extend({ client_secret: z.string() }),
  problems: ['not_found'],
})

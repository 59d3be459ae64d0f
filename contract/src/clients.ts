import { z } from 'zod'
import { jwks } from './client-keys.ts'
import * as f from './fields.ts'
import { LIMITS } from './limits.ts'
import { bringsPicture } from './media.ts'
import { route } from './route.ts'

/** Kinds of app; they preset PKCE and the secret (api.md §6). */
export const CLIENT_TYPES = ['web', 'spa', 'native', 'service'] as const
export type ClientType = (typeof CLIENT_TYPES)[number]
/** What an app may ask for unless its developers choose otherwise (api.md §6). */
export const DEFAULT_CLIENT_SCOPES = ['openid', 'profile', 'email'] as const
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const
/** How a device without a browser asks for its tokens (RFC 8628 §3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** With what ID tokens may be signed; the first unless an app asks otherwise. */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256', 'EdDSA'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]
/** `jwt`: resource servers check the token themselves (RFC 9068), so it lives on until it expires. */
export const TOKEN_FORMATS = ['opaque', 'jwt'] as const

const params = z.object({ id: f.id })

export const clientInfo = z.object({
  client_id: f.id,
  name: z.string(),
  icon: f.picture,
  description: z.string().nullable(),
  home_page_url: z.string().nullable(),
  privacy_policy_url: z.string().nullable(),
  type: z.enum(CLIENT_TYPES),
  enabled: z.boolean(),
  scopes: z.array(z.string()),
  /** First word of the scopes that the app defines; chosen with the first of them, for good. */
  scope_prefix: z.string().nullable(),
  /** Last four characters of the secret, for recognising it. */
  secret_hint: z.string().nullable(),
  secret_created_at: f.time.nullable(),
  /** When the app last proved itself with this very secret, within a minute; null: not yet. */
  secret_last_used_at: f.time.nullable(),
  /** Until when the secret before this one works, too. */
  previous_secret_until: f.time.nullable(),
  /** When it first got tokens for somebody: from then on it is known to work. */
  first_sign_in_at: f.time.nullable(),
  created_at: f.time,
})
export type ClientInfo = z.output<typeof clientInfo>

export const listedClient = clientInfo.extend({
  /** Sign-ins of the last seven days; null for whom figures are not (below analyst, api.md §5). */
  week_sign_ins: z.number().int().nullable(),
})
export type ListedClient = z.output<typeof listedClient>

export const createClient = route('POST', '/client', {
  summary: 'Register an app. The secret is in this answer and never again.',
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
})

export const listClients = route('GET', '/client', {
  summary: 'Apps of the current developer account, by name; `query` narrows them to those whose name contains it.',
  needs: 'member',
  page: true,
  query: z.object({ query: f.line(LIMITS.name_max).optional(), ...f.cursorQuery }),
  data: z.array(listedClient),
})

export const getClient = route('GET', '/client/:id', {
  summary: 'One app; the same as its section `info`.',
  needs: 'member',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

export const getClientInfo = route('GET', '/client/:id/info', {
  summary: 'One app.',
  needs: 'member',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

/** What `enabled` in {@link updateClientInfo} asks for, which is more than the rest of it (api.md §5). */
export const switchClient = { needs: 'moderator' } as const

export const updateClientInfo = route('PUT', '/client/:id/info', {
  summary: 'Edit an app. `enabled` alone asks for moderator, the rest for developer.',
  needs: 'developer',
  params,
  body: z.object({
    name: f.entityName.optional(),
    description: f.text(LIMITS.description_max).nullable().optional(),
    home_page_url: f.pageUrl.nullable().optional(),
    privacy_policy_url: f.pageUrl.nullable().optional(),
    enabled: z.boolean().optional(),
    scopes: z.array(f.scopeKey).min(1).max(LIMITS.asked_scopes).optional(),
  }),
  data: clientInfo,
  problems: ['not_found', 'unknown_scope'],
})

export const setIcon = route('PUT', '/client/:id/icon', {
  summary: 'A new icon: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels; shown whole.',
  needs: 'developer',
  params,
  multipart: 'icon',
  ...bringsPicture,
  data: clientInfo,
  problems: ['not_found', ...bringsPicture.problems],
})

export const removeIcon = route('DELETE', '/client/:id/icon', {
  summary: 'No icon any more.',
  needs: 'developer',
  params,
  data: clientInfo,
  problems: ['not_found'],
})

export const deleteClient = route('DELETE', '/client/:id', {
  summary: 'Delete an app for good, with its scopes and everything that people allowed it.',
  needs: 'admin',
  params,
  data: f.nothing,
  problems: ['not_found'],
})

/** Switches that the engine obeys (specification §3, "advanced settings"; api.md §6). */
export const advanced = z.object({
  require_client_secret: z.boolean(),
  require_pkce: z.boolean(),
  /** Refuses authorization requests without `nonce`, which stands in for PKCE (OAuth 2.1). */
  require_nonce: z.boolean(),
  allow_popup: z.boolean(),
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  /** Public keys of the app, by value or by address; one of the two at most (RFC 7591 §2). */
  jwks: jwks.nullable(),
  jwks_uri: f.serverUrl.nullable(),
  id_token_signed_response_alg: z.enum(SIGNING_ALGORITHMS),
  /** Of the access tokens that are made for the scopes which this app defines. */
  access_token_format: z.enum(TOKEN_FORMATS),
  /** A stolen token is worth nothing without the app's key (RFC 9449). */
  dpop_bound_access_tokens: z.boolean(),
  /** Authorization requests come straight from the app's server, never through the browser alone (RFC 9126). */
  require_pushed_authorization_requests: z.boolean(),
  /** Where to tell that somebody has signed out (OpenID Connect Back-Channel Logout §2.2). */
  backchannel_logout_uri: f.serverUrl.nullable(),
  post_logout_redirect_uris: z.array(f.redirectUri).max(LIMITS.uris_per_client),
  /** Seconds. */
  access_token_ttl: z.number().int().min(60).max(86_400),
  /** Seconds without use after which a refresh token ends. */
  refresh_token_ttl: z
    .number()
    .int()
    .min(3600)
    .max(90 * 86_400),
})
export type Advanced = z.output<typeof advanced>

export const getAdvanced = route('GET', '/client/:id/advanced', {
  summary: 'Advanced settings of an app.',
  needs: 'member',
  params,
  data: advanced,
  problems: ['not_found'],
})

export const updateAdvanced = route('PUT', '/client/:id/advanced', {
  summary:
    'Change advanced settings. Without PKCE the client secret must stay required; how the app proves itself needs a fresh sign-in.',
  needs: 'developer',
  params,
  body: advanced.partial(),
  data: advanced,
  // By what the app proves who it is changes like its secret.
  problems: ['not_found', 'secret_required', 'keys_required', 'reauthentication_required'],
})

const redirectUris = z.object({ redirect_uris: z.array(z.string()) })

export const listRedirectUris = route('GET', '/client/:id/redirect-uris', {
  summary: 'Redirect URIs, oldest first.',
  needs: 'member',
  params,
  data: redirectUris,
  problems: ['not_found'],
})

export const addRedirectUri = route('POST', '/client/:id/redirect-uris', {
  summary: 'Register a redirect URI.',
  needs: 'developer',
  params,
  body: z.object({ redirect_uri: f.redirectUri }),
  data: redirectUris,
  problems: ['not_found', 'redirect_uri_taken', 'too_many_uris'],
})

export const removeRedirectUri = route('DELETE', '/client/:id/redirect-uris', {
  summary: 'Remove a redirect URI.',
  needs: 'developer',
  params,
  query: z.object({ redirect_uri: f.exactly(LIMITS.url_max) }),
  data: redirectUris,
  problems: ['not_found'],
})

const origins = z.object({ origins: z.array(z.string()) })

export const listOrigins = route('GET', '/client/:id/origins', {
  summary: 'Origins, oldest first.',
  needs: 'member',
  params,
  data: origins,
  problems: ['not_found'],
})

export const addOrigin = route('POST', '/client/:id/origins', {
  summary: 'Register an origin: scheme, host and port.',
  needs: 'developer',
  params,
  body: z.object({ origin: f.origin }),
  data: origins,
  problems: ['not_found', 'origin_taken', 'too_many_uris'],
})

export const removeOrigin = route('DELETE', '/client/:id/origins', {
  summary: 'Remove an origin.',
  needs: 'developer',
  params,
  query: z.object({ origin: f.exactly(LIMITS.url_max) }),
  data: origins,
  problems: ['not_found'],
})

export const regenerateSecret = route('PUT', '/client/:id/secret/regenerate', {
  summary: 'Make a new client secret, shown once; `grace` keeps the old one for 24 hours.',
  needs: 'developer',
  fresh: true,
  params,
  body: z.object({ grace: z.boolean().optional() }),
  data: clientInfo
    .pick({ secret_hint: true, secret_created_at: true, secret_last_used_at: true, previous_secret_until: true })
    .extend({ client_secret: z.string() }),
  problems: ['not_found'],
})

import { clients, LIMITS, problem } from '@vrata/contract'
import { TLS_SUBJECTS, tlsSubjects } from '@vrata/contract/client-certificates'
import { jwks } from '@vrata/contract/client-keys'
import * as f from '@vrata/contract/fields'
import { z } from 'zod'
import { invalidRequest } from '../../http/problems.ts'

/**
 * Scopes of a client that registers without `scope`, as OpenID Connect Registration permits: those of claims and, with the
 * grant type `refresh_token`, `offline_access` (Core §11).
 */
const CLAIM_SCOPES = ['openid', 'profile', 'email', 'address', 'phone']
const LASTING_SCOPES = [...CLAIM_SCOPES, 'offline_access']

/**
 * Client metadata (RFC 7591 §2, OpenID Connect Registration §2). Unknown members are ignored (RFC 7591 §2); values that
 * would change how the client works and are not supported are rejected. Of several response or grant types the supported ones are
 * registered, as the answer says (§3.2.1): libraries name all that they can use.
 */
const METADATA = z.object({
  client_name: f.entityName.optional(),
  redirect_uris: z.array(f.redirectUri).max(LIMITS.uris_per_client).default([]),
  response_types: z
    .array(z.string())
    .refine((types) => types.length === 0 || types.includes('code'), 'invalid')
    .optional(),
  grant_types: z
    .array(z.string())
    .transform((types) => clients.GRANT_TYPES.filter((grant) => types.includes(grant)))
    .pipe(z.array(z.enum(clients.GRANT_TYPES)).min(1))
    .default(['authorization_code']),
  application_type: z.enum(['web', 'native']).default('web'),
  token_endpoint_auth_method: z.enum(clients.AUTH_METHODS).default('client_secret_basic'),
  token_endpoint_auth_signing_alg: z.enum(clients.CLIENT_SIGNING_ALGORITHMS).nullable().default(null),
  request_object_signing_alg: z.enum(clients.CLIENT_SIGNING_ALGORITHMS).nullable().default(null),
  require_signed_request_object: z.boolean().default(false),
  authorization_signed_response_alg: z.enum(clients.SIGNING_ALGORITHMS).nullable().default(null),
  userinfo_signed_response_alg: z.enum(clients.SIGNING_ALGORITHMS).nullable().default(null),
  introspection_signed_response_alg: z.enum(clients.SIGNING_ALGORITHMS).nullable().default(null),
  scope: z
    .string()
    .transform((words) => words.split(' ').filter(Boolean))
    // Empty when other apps have removed the scopes that they define.
    .pipe(z.array(f.scopeKey).max(LIMITS.requested_scopes))
    .optional(),
  client_uri: f.pageUrl.nullable().default(null),
  policy_uri: f.pageUrl.nullable().default(null),
  tos_uri: f.pageUrl.nullable().default(null),
  logo_uri: f.serverUrl.nullable().default(null),
  jwks: jwks.nullable().default(null),
  jwks_uri: f.serverUrl.nullable().default(null),
  ...tlsSubjects.partial().shape,
  id_token_signed_response_alg: z.enum(clients.SIGNING_ALGORITHMS).default(clients.SIGNING_ALGORITHMS[0]),
  subject_type: z.enum(clients.SUBJECT_TYPES).default('public'),
  sector_identifier_uri: f.serverUrl.nullable().default(null),
  id_token_encrypted_response_alg: z.undefined().optional(),
  userinfo_encrypted_response_alg: z.undefined().optional(),
  authorization_encrypted_response_alg: z.undefined().optional(),
  introspection_encrypted_response_alg: z.undefined().optional(),
  request_object_encryption_alg: z.undefined().optional(),
  post_logout_redirect_uris: z.array(f.redirectUri).max(LIMITS.uris_per_client).default([]),
  backchannel_logout_uri: f.serverUrl.nullable().default(null),
  frontchannel_logout_uri: f.browserUrl.nullable().default(null),
  frontchannel_logout_session_required: z.boolean().default(false),
  initiate_login_uri: f.httpsUrl.nullable().default(null),
  backchannel_token_delivery_mode: z.enum(clients.DELIVERY_MODES).nullable().default(null),
  backchannel_client_notification_endpoint: f.serverUrl.nullable().default(null),
  backchannel_authentication_request_signing_alg: z.enum(clients.CLIENT_SIGNING_ALGORITHMS).nullable().default(null),
  backchannel_user_code_parameter: z.literal(false).optional(),
  dpop_bound_access_tokens: z.boolean().default(false),
  tls_client_certificate_bound_access_tokens: z.boolean().default(false),
  require_pushed_authorization_requests: z.boolean().default(false),
})
type Metadata = z.output<typeof METADATA>

/** Client metadata as inputs of the rules of clients. */
export interface ClientDescription {
  type: clients.ClientType
  info: Required<
    Pick<clients.ClientInfo, 'name' | 'home_page_url' | 'privacy_policy_url' | 'terms_of_service_url' | 'scopes'>
  >
  advanced: Partial<clients.Advanced>
  redirect_uris: string[]
  logo_uri: string | null
}

/**
 * Parses client metadata. Throws `invalid_request` with the members of RFC 7591 as fields. An update repeats all metadata
 * (RFC 7592 §2.2), so what is stored is accepted even where a new client could not have it.
 */
export function parseMetadata(given: unknown, stored?: { name: string; type: string }): ClientDescription {
  const set = withoutUnset(given)
  const keepsName = stored !== undefined && (set as { client_name?: unknown } | null)?.client_name === stored.name
  const parsed = METADATA.safeParse(keepsName ? { ...(set as object), client_name: undefined } : set, {
    reportInput: true,
  })
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const metadata = parsed.data
  const type = toClientType(metadata, stored?.type)
  const redirect_uris = [...new Set(metadata.redirect_uris)]
  if (metadata.grant_types.includes('authorization_code') && redirect_uris.length === 0) {
    throw problem('invalid_request', { fields: { redirect_uris: 'required' } })
  }
  const { client_name, client_uri, policy_uri, tos_uri, grant_types, token_endpoint_auth_method: method } = metadata
  const defaultScopes = grant_types.includes('refresh_token') ? LASTING_SCOPES : CLAIM_SCOPES
  return {
    type,
    info: {
      name: (keepsName ? stored.name : client_name) ?? defaultName(redirect_uris[0] ?? client_uri ?? ''),
      home_page_url: client_uri,
      privacy_policy_url: policy_uri,
      terms_of_service_url: tos_uri,
      scopes: metadata.scope ?? defaultScopes,
    },
    advanced: {
      require_client_secret: method !== 'none',
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: metadata.token_endpoint_auth_signing_alg,
      request_object_signing_alg: metadata.request_object_signing_alg,
      require_signed_request_object: metadata.require_signed_request_object,
      authorization_signed_response_alg: metadata.authorization_signed_response_alg,
      userinfo_signed_response_alg: metadata.userinfo_signed_response_alg,
      introspection_signed_response_alg: metadata.introspection_signed_response_alg,
      jwks: metadata.jwks,
      jwks_uri: metadata.jwks_uri,
      id_token_signed_response_alg: metadata.id_token_signed_response_alg,
      post_logout_redirect_uris: metadata.post_logout_redirect_uris,
      backchannel_logout_uri: metadata.backchannel_logout_uri,
      frontchannel_logout_uri: metadata.frontchannel_logout_uri,
      frontchannel_logout_session_required: metadata.frontchannel_logout_session_required,
      initiate_login_uri: metadata.initiate_login_uri,
      ...Object.fromEntries(TLS_SUBJECTS.map((name) => [name, metadata[name] ?? null])),
      subject_type: metadata.subject_type,
      sector_identifier_uri: metadata.sector_identifier_uri,
      ...cibaSettings(metadata),
      dpop_bound_access_tokens: metadata.dpop_bound_access_tokens,
      tls_client_certificate_bound_access_tokens: metadata.tls_client_certificate_bound_access_tokens,
      require_pushed_authorization_requests: metadata.require_pushed_authorization_requests,
    },
    redirect_uris,
    logo_uri: metadata.logo_uri,
  }
}

/** Without members that are null or empty, as programs write those that they do not set (RFC 7592 §2.2). An empty `scope` names no scopes. */
function withoutUnset(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const isSet = ([name, value]: [string, unknown]) => value !== null && (value !== '' || name === 'scope')
  return Object.fromEntries(Object.entries(given).filter(isSet))
}

/** Single-page apps call the token endpoint from the origins of their redirect URIs. RFC 7591 has no metadata for origins. */
export function originsOf(type: clients.ClientType, redirect_uris: readonly string[]): string[] {
  return type === 'spa' ? [...new Set(redirect_uris.map((uri) => new URL(uri).origin))] : []
}

/** The grant type and the delivery mode require each other (OpenID Connect CIBA Core §4). */
function cibaSettings(metadata: Metadata) {
  const {
    grant_types,
    backchannel_token_delivery_mode,
    backchannel_client_notification_endpoint,
    backchannel_authentication_request_signing_alg,
  } = metadata
  const asksForIt = grant_types.includes(clients.CIBA_GRANT)
  if (asksForIt && backchannel_token_delivery_mode === null) {
    throw problem('invalid_request', { fields: { backchannel_token_delivery_mode: 'required' } })
  }
  return {
    backchannel_token_delivery_mode: asksForIt ? backchannel_token_delivery_mode : null,
    backchannel_client_notification_endpoint,
    backchannel_authentication_request_signing_alg,
  }
}

function toClientType(
  { grant_types, application_type, token_endpoint_auth_method: method }: Metadata,
  stored_type: string | undefined,
): clients.ClientType {
  if (grant_types.includes('client_credentials') || grant_types.includes(clients.TOKEN_EXCHANGE_GRANT)) {
    // Users do not sign in to a service (api §6): they need a client of their own.
    const ofUsers: string[] = [clients.DEVICE_GRANT, clients.CIBA_GRANT]
    // One that exists has this grant type with a redirect URI, which members can add.
    if (stored_type !== 'service') ofUsers.push('authorization_code')
    const forUsers = grant_types.some((grant) => ofUsers.includes(grant))
    if (forUsers) throw problem('invalid_request', { fields: { grant_types: 'wrong' } })
    return 'service'
  }
  if (application_type === 'native' || grant_types.includes(clients.DEVICE_GRANT)) return 'native'
  // Members can let either authenticate in another way.
  if (stored_type === 'spa' || stored_type === 'web') return stored_type
  return method === 'none' ? 'spa' : 'web'
}

/** The host, where it may be a name: mails have names, and programs that read mails make links of web addresses (api §1.8). */
function defaultName(url: string): string {
  return f.entityName.safeParse(URL.parse(url)?.host).data ?? 'App'
}

import { type clients, type InputOf, problem } from '@vrata/contract'
import { TLS_SUBJECTS } from '@vrata/contract/client-certificates'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { MemberActor } from '../../../http/actors.ts'
import { requireFreshSignIn } from '../../../http/guards/request-guards.ts'
import { isLoopbackUrl } from '../../../lib/loopback.ts'
import { changedFields, recordDeveloperActivity } from '../../developers/public.ts'
import { listRedirectUris } from '../addresses/address-store.ts'
import { validateRedirectUriScheme } from '../addresses/redirect-uris.ts'
import { type SectorDocument, sectorOf } from '../addresses/sector.ts'
import { announceClientChange, findOwnClient, findOwnClientForUpdate } from '../own-client.ts'
import { type ClientRow, updateClient } from '../store.ts'
import { validateCiba } from './ciba-settings.ts'
import { isKeyMethod, mergeCertificates, validateCertificates } from './client-certificates.ts'
import { applySecurityProfile, validateProfileRedirectUris } from './security-profile.ts'

type Changes = Partial<clients.Advanced>

/** Context, besides the client, against which a change of advanced settings is validated. */
type AdvancedContext = {
  /** The new redirect URIs, if they change as well. */
  redirect_uris?: readonly string[]
  document?: SectorDocument | undefined
}

/** Settings of client authentication; changing them requires a fresh sign-in, like a new secret (decision 0061). */
const AUTHENTICATION_SETTINGS: readonly string[] = [
  'require_client_secret',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'security_profile',
  'jwks',
  'jwks_uri',
  ...TLS_SUBJECTS,
] satisfies (keyof clients.Advanced)[]

/** Converts the columns of a client to its advanced settings. */
export function toAdvanced(client: ClientRow): clients.Advanced {
  return {
    require_client_secret: fromFlag(client.require_client_secret),
    require_pkce: fromFlag(client.require_pkce),
    require_nonce: fromFlag(client.require_nonce),
    allow_popup: fromFlag(client.allow_popup),
    security_profile: client.security_profile as clients.Advanced['security_profile'],
    token_endpoint_auth_method: client.token_endpoint_auth_method as clients.Advanced['token_endpoint_auth_method'],
    token_endpoint_auth_signing_alg:
      client.token_endpoint_auth_signing_alg as clients.Advanced['token_endpoint_auth_signing_alg'],
    request_object_signing_alg: client.request_object_signing_alg as clients.Advanced['request_object_signing_alg'],
    require_signed_request_object: fromFlag(client.require_signed_request_object),
    authorization_signed_response_alg: client.authorization_signed_response_alg as clients.SigningAlgorithm | null,
    userinfo_signed_response_alg: client.userinfo_signed_response_alg as clients.SigningAlgorithm | null,
    introspection_signed_response_alg: client.introspection_signed_response_alg as clients.SigningAlgorithm | null,
    jwks: client.jwks === null ? null : fromJson(client.jwks),
    jwks_uri: client.jwks_uri,
    tls_client_auth_subject_dn: client.tls_client_auth_subject_dn,
    tls_client_auth_san_dns: client.tls_client_auth_san_dns,
    tls_client_auth_san_uri: client.tls_client_auth_san_uri,
    tls_client_auth_san_ip: client.tls_client_auth_san_ip,
    tls_client_auth_san_email: client.tls_client_auth_san_email,
    id_token_signed_response_alg: client.id_token_signed_response_alg as clients.SigningAlgorithm,
    id_token_claims: client.id_token_claims as clients.Advanced['id_token_claims'],
    access_token_format: client.access_token_format as clients.Advanced['access_token_format'],
    dpop_bound_access_tokens: fromFlag(client.dpop_bound_access_tokens),
    tls_client_certificate_bound_access_tokens: fromFlag(client.tls_client_certificate_bound_access_tokens),
    require_pushed_authorization_requests: fromFlag(client.require_pushed_authorization_requests),
    backchannel_logout_uri: client.backchannel_logout_uri,
    frontchannel_logout_uri: client.frontchannel_logout_uri,
    frontchannel_logout_session_required: fromFlag(client.frontchannel_logout_session_required),
    initiate_login_uri: client.initiate_login_uri,
    subject_type: client.sector_identifier === null ? 'public' : 'pairwise',
    sector_identifier_uri: client.sector_identifier_uri,
    backchannel_token_delivery_mode:
      client.backchannel_token_delivery_mode as clients.Advanced['backchannel_token_delivery_mode'],
    backchannel_client_notification_endpoint: client.backchannel_client_notification_endpoint,
    backchannel_authentication_request_signing_alg:
      client.backchannel_authentication_request_signing_alg as clients.Advanced['backchannel_authentication_request_signing_alg'],
    post_logout_redirect_uris: fromJson<string[]>(client.post_logout_redirect_uris),
    access_token_ttl: client.access_token_ttl,
    refresh_token_ttl: client.refresh_token_ttl,
  }
}

/** Converts advanced settings to columns. */
function toAdvancedColumns({ subject_type: _, ...settings }: clients.Advanced) {
  return {
    ...settings,
    require_client_secret: toFlag(settings.require_client_secret),
    require_pkce: toFlag(settings.require_pkce),
    require_nonce: toFlag(settings.require_nonce),
    allow_popup: toFlag(settings.allow_popup),
    require_signed_request_object: toFlag(settings.require_signed_request_object),
    jwks: settings.jwks === null ? null : toJson(settings.jwks),
    dpop_bound_access_tokens: toFlag(settings.dpop_bound_access_tokens),
    tls_client_certificate_bound_access_tokens: toFlag(settings.tls_client_certificate_bound_access_tokens),
    require_pushed_authorization_requests: toFlag(settings.require_pushed_authorization_requests),
    frontchannel_logout_session_required: toFlag(settings.frontchannel_logout_session_required),
    post_logout_redirect_uris: toJson(settings.post_logout_redirect_uris),
  }
}

/** Returns the expert settings of a client of the actor's developer account. */
export async function getAdvanced(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  input: InputOf<typeof clients.getAdvanced>,
) {
  return toAdvanced(await findOwnClient(deps, actor, input.id))
}

/**
 * Updates advanced settings. The resulting settings are validated, so that no order of changes bypasses a rule.
 */
export async function updateAdvanced(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.updateAdvanced>,
  { redirect_uris, document }: AdvancedContext = {},
) {
  const { id, ...changes } = input
  const client = await findOwnClientForUpdate(deps, actor, id)
  const next = mergeAdvanced(toAdvanced(client), changes)
  validateAdvanced(deps, client.type, next)
  const uris = redirect_uris ?? (await listRedirectUris(deps.db, client))
  if (changes.frontchannel_logout_uri !== client.frontchannel_logout_uri) validateFrontchannelLogout(changes, uris)
  if (next.security_profile !== client.security_profile)
    validateProfileRedirectUris({ ...next, type: client.type }, uris)
  const sector_identifier =
    redirect_uris || changes.subject_type !== undefined || changes.sector_identifier_uri !== undefined
      ? sectorOf({ ...next, redirect_uris: uris }, document)
      : client.sector_identifier
  const changed = changedFields(toAdvanced(client), next)
  const fields = Object.keys(changed)
  // A stolen session alone must not suffice to take over a client (ASVS 7.5.3).
  if (AUTHENTICATION_SETTINGS.some((one) => fields.includes(one))) requireFreshSignIn(deps, actor)
  await updateClient(deps.db, client, {
    ...toAdvancedColumns(next),
    sector_identifier,
    updated_at: toTime(deps.clock.now()),
  })
  if (fields.length > 0) {
    const params = { client_id: id, name: client.name, fields: fields.join(' ') }
    await recordDeveloperActivity(deps, actor, 'CHANGED_ADVANCED', params, { changes: changed })
  }
  await announceClientChange(deps, client.client_id)
  return next
}

/** Addresses that the server or a browser of its pages calls. */
const OUTGOING = [
  'jwks_uri',
  'backchannel_logout_uri',
  'frontchannel_logout_uri',
  'sector_identifier_uri',
  'backchannel_client_notification_endpoint',
] as const

/** Throws when a client with these settings could not authenticate, or when the server would call a forbidden address. */
function validateAdvanced(deps: Pick<TransactionDeps, 'config'>, type: string, next: clients.Advanced): void {
  validateSecretRequirement(type, next)
  validateCertificates(deps.config, next)
  validateResponses(next)
  validateKeys(next)
  validateSubjectType(type, next)
  validateCiba(type, next)
  for (const uri of next.post_logout_redirect_uris) validateRedirectUriScheme(type, uri, 'post_logout_redirect_uris')
  for (const field of OUTGOING) {
    // http is for loopback addresses; they are this machine only where Vrata itself runs on loopback (ASVS 1.3.6).
    const url = next[field]
    if (url?.startsWith('http:') && !isLoopbackUrl(deps.config.url)) {
      throw problem('invalid_request', { fields: { [field]: 'https_required' } })
    }
  }
}

/** A service has no users, and the sector of an installed app would be that of keys on a server, which it does not have. */
function validateSubjectType(type: string, { subject_type }: clients.Advanced): void {
  if (subject_type === 'pairwise' && type !== 'web' && type !== 'spa') {
    throw problem('invalid_request', {
      message: 'Only web apps and single-page apps can have pairwise subject identifiers.',
      fields: { subject_type: 'wrong' },
    })
  }
}

/** A new front-channel logout URI has the origin of a redirect URI (OpenID Connect Front-Channel Logout §2). */
function validateFrontchannelLogout({ frontchannel_logout_uri: uri }: Changes, redirect_uris: readonly string[]): void {
  if (uri && !isOfRedirectOrigin(uri, redirect_uris)) {
    throw problem('invalid_request', { fields: { frontchannel_logout_uri: 'redirect_origin' } })
  }
}

/** Whether scheme, host and port of a URI are those of a redirect URI. */
export function isOfRedirectOrigin(uri: string, redirect_uris: readonly string[]): boolean {
  return redirect_uris.some((one) => /^https?:/.test(one) && new URL(one).origin === new URL(uri).origin)
}

/** A popup gets an unsigned response (decision 0041). */
function validateResponses({ allow_popup, authorization_signed_response_alg }: clients.Advanced): void {
  if (allow_popup && authorization_signed_response_alg) {
    throw problem('invalid_request', {
      message: 'Responses to a popup are not signed.',
      fields: { authorization_signed_response_alg: 'wrong' },
    })
  }
}

/**
 * PKCE may be off only while the client secret is required (RFC 9700 §2.1.1). The client credentials grant of a service
 * requires client authentication (RFC 6749 §4.4).
 */
function validateSecretRequirement(type: string, next: clients.Advanced): void {
  if (!next.require_client_secret && (!next.require_pkce || type === 'service')) {
    throw problem('secret_required', { fields: { require_client_secret: 'required' } })
  }
}

/**
 * Client authentication by key and required request objects need registered keys; `jwks` and `jwks_uri` exclude each other
 * (RFC 7591 §2).
 */
function validateKeys(next: clients.Advanced): void {
  const { jwks, jwks_uri } = next
  if (jwks && jwks_uri) throw problem('invalid_request', { fields: { jwks_uri: 'wrong' } })
  const { token_endpoint_auth_method: method } = next
  // The names of `tls_client_auth` take the place of keys.
  const byKeys = isKeyMethod(method) && method !== 'tls_client_auth'
  if ((byKeys || next.require_signed_request_object) && !jwks && !jwks_uri) {
    throw problem('keys_required', { fields: { jwks: 'required' } })
  }
}

/**
 * Merges changes and adapts the settings that depend on them. A required secret excludes the method `none`: a call that
 * sets both is rejected, a call that sets one changes the other. A method with a key implies required authentication. New
 * `jwks` replace a `jwks_uri`, and the reverse.
 */
function mergeAdvanced(before: clients.Advanced, changes: Changes): clients.Advanced {
  const next = applySecurityProfile(mergeCertificates({ ...before, ...changes }, changes), changes)
  next.post_logout_redirect_uris = [...new Set(next.post_logout_redirect_uris)]
  if (changes.jwks && changes.jwks_uri === undefined) next.jwks_uri = null
  if (changes.jwks_uri && changes.jwks === undefined) next.jwks = null
  const { require_client_secret: required, token_endpoint_auth_method: method } = next
  if (required && method === 'none') {
    if (changes.token_endpoint_auth_method === 'none') throw contradictoryMethod()
    next.token_endpoint_auth_method = 'client_secret_basic'
  }
  if (!required && isKeyMethod(method)) {
    if (changes.token_endpoint_auth_method === undefined) next.token_endpoint_auth_method = 'none'
    else if (changes.require_client_secret === undefined) next.require_client_secret = true
    else throw contradictoryMethod()
  }
  return next
}

function contradictoryMethod() {
  return problem('invalid_request', {
    message: 'require_client_secret and token_endpoint_auth_method contradict each other.',
    fields: { token_endpoint_auth_method: 'wrong' },
  })
}

import { type clientDiagnostics, clients } from '@vrata/contract'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { ClientError } from '../../features/client-diagnostics/public.ts'
import { isTlsMethod } from '../../features/clients/public.ts'
import { basicClientId } from '../endpoints/credentials.ts'
import { DocumentRejected } from '../metadata-documents/document-rejected.ts'
import { MetadataDocuments } from '../metadata-documents/metadata-documents.ts'
import { idTokenHint } from '../provider/compat/compat.ts'
import {
  type ErrorText,
  errorDetail,
  isErrorText,
  type ProviderError,
  refusedScope,
} from '../provider/compat/compat-errors.ts'
import { CertificatesNotAccepted, ClientDisabled, InvalidSubjectToken, reasonOf } from '../provider/provider-errors.ts'
import { withRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/** Record of an error; undefined when the client's developers cannot fix it. */
type Recorded = Omit<ClientError, 'client_id'> | undefined
type Classify = (ctx: KoaContextWithOIDC, error: ProviderError) => Recorded

/** Listens to the errors of oidc-provider and drafts what is recorded for the client's developers (decision 0040). */
export function recordClientErrors(provider: Provider): void {
  const listener = (classify: Classify) =>
    withRequest((request, ctx: KoaContextWithOIDC, error: Error) => draftClientError(request, ctx, error, classify))
  provider.on('authorization.error', listener(authorizationError))
  provider.on('pushed_authorization_request.error', listener(pushedRequestError))
  provider.on('backchannel_authentication.error', listener(backchannelRequestError))
  provider.on('grant.error', listener(tokenError))
  provider.on('device_authorization.error', listener(tokenError))
  provider.on('revocation.error', listener(tokenError))
  provider.on('introspection.error', listener(tokenError))
  provider.on('userinfo.error', listener(userinfoError))
  provider.on('end_session.error', listener(endSessionError))
}

/** Drafts an error with which the commit of a response has failed, as its listener would have. */
export function draftCommitError(request: ProviderRequest, ctx: KoaContextWithOIDC, error: ProviderError): void {
  draftClientError(request, ctx, error, CLASSIFY[ctx.oidc.route] ?? tokenError)
}

function draftClientError(
  request: ProviderRequest,
  ctx: KoaContextWithOIDC,
  error: ProviderError,
  classify: Classify,
): void {
  const { clientError } = request
  const { client, params } = ctx.oidc
  const refused = error instanceof ClientDisabled || error instanceof CertificatesNotAccepted
  const client_id = refused
    ? error.client_id
    : (client?.clientId ?? params?.client_id ?? idTokenHint(ctx.oidc).aud ?? basicClientId(ctx.get('authorization')))
  const recorded = refused ? unusableClient(error) : (ownError(error) ?? classify(ctx, error))
  if (typeof client_id === 'string' && MetadataDocuments.isAddress(client_id)) {
    const reason = error instanceof DocumentRejected ? error.reason : recorded?.reason
    if (reason) draftUnregistered(request, ctx, client_id, reason)
    return
  }
  if (!recorded) return
  const access_token = presentedAccessToken(ctx)
  if (typeof client_id === 'string') clientError.set({ client_id, ...recorded })
  else if (access_token) clientError.set({ access_token, ...recorded })
}

/** An unregistered client has no developers here: the error is logged for operators, and recorded for the developers of the API that the request names. */
function draftUnregistered(
  { deps, clientError }: ProviderRequest,
  { oidc }: KoaContextWithOIDC,
  client_id: string,
  reason: string,
): void {
  deps.log.info({ client_id, reason }, 'unregistered client refused')
  const resource = oidc.params?.resource
  const detail = `${uriWithoutSecrets(client_id)} (${reason})`
  if (typeof resource === 'string') clientError.set({ resource, reason: 'unregistered_client', detail })
}

function unusableClient(error: ClientDisabled | CertificatesNotAccepted): Recorded {
  return error instanceof ClientDisabled
    ? { reason: error.problem }
    : { reason: 'certificate', detail: messageOf(error) }
}

function ownError(error: ProviderError): Recorded {
  const reason = reasonOf(error)
  return reason && { reason, detail: messageOf(error) }
}

/** Errors that are steps of the protocol or answers of the user (OpenID Connect Core §3.1.2.6), or ours. */
const NO_ERRORS_OF_CLIENTS: readonly string[] = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unmet_authentication_requirements',
]

/** RFC 6749 §4.1.2.1. */
function authorizationError({ oidc }: KoaContextWithOIDC, error: ProviderError): Recorded {
  const { params } = oidc
  const says = (name: ErrorText) => isErrorText(error.error_description, name)
  if (error instanceof errors.InvalidRedirectUri) {
    return { reason: 'redirect_uri', detail: uriWithoutSecrets(params?.redirect_uri) }
  }
  if (error instanceof errors.InvalidScope) return { reason: 'scope', detail: protocolWord(refusedScope(error)) }
  if (error instanceof errors.UnsupportedResponseMode || says('response_mode')) {
    return { reason: 'response_mode', detail: protocolWord(params?.response_mode) }
  }
  if (error instanceof errors.UnsupportedResponseType || says('response_type')) {
    return { reason: 'response_type', detail: protocolWord(params?.response_type) }
  }
  if (error instanceof errors.InvalidRequestUri) return { reason: 'request_uri' }
  if (error instanceof errors.InvalidRequestObject) {
    return { reason: says('signature_algorithm') ? 'algorithm' : 'request_object', detail: messageOf(error) }
  }
  if (error instanceof errors.InvalidTarget) return { reason: 'resource', detail: uriWithoutSecrets(params?.resource) }
  if (error instanceof errors.SessionNotFound || NO_ERRORS_OF_CLIENTS.includes(error.error ?? '')) return undefined
  if (says('request_object_required')) return { reason: 'request_object_missing' }
  if (says('par_required')) return { reason: 'par_required' }
  if (says('pkce_required') || (says('pkce_method') && !params?.code_challenge)) return { reason: 'pkce_missing' }
  if (says('pkce_method')) return { reason: 'pkce_method', detail: protocolWord(params?.code_challenge_method) }
  return { reason: 'authorization_request', detail: messageOf(error) }
}

/** RFC 9126 §2.3: errors of client authentication and of the authorization request. */
function pushedRequestError(ctx: KoaContextWithOIDC, error: ProviderError): Recorded {
  return clientAuthenticationError(ctx, error) ?? authorizationError(ctx, error)
}

/**
 * OpenID Connect CIBA Core §13: errors of client authentication, the limits of requests, and those of a signed request. That
 * no user could be asked is not an error (decision 0039).
 */
function backchannelRequestError(ctx: KoaContextWithOIDC, error: ProviderError): Recorded {
  const says = (name: ErrorText) => isErrorText(error.error_description, name)
  if (error instanceof errors.InvalidBindingMessage) return { reason: 'binding_message' }
  if (says('grant_type_not_allowed')) return { reason: 'grant_type', detail: clients.CIBA_GRANT }
  if (says('login_hint')) return { reason: 'login_hint' }
  const recorded = pushedRequestError(ctx, error)
  return recorded?.reason === 'authorization_request' ? { ...recorded, reason: 'ciba_request' } : recorded
}

/** Errors of client authentication (RFC 6749 §2.3, RFC 7523 §3) of the DPoP proof (RFC 9449 §5) and the certificate (RFC 8705). */
function clientAuthenticationError({ oidc }: KoaContextWithOIDC, error: ProviderError): Recorded {
  const says = (name: ErrorText) => isErrorText(errorDetail(error), name)
  if (says('dpop_missing')) return { reason: 'dpop_missing' }
  // A required nonce is a step of the protocol and no error (RFC 9449 §8).
  if (error.error === 'use_dpop_nonce') return undefined
  if (says('dpop_proof') || says('sender_constraint')) return { reason: 'dpop_proof', detail: messageOf(error) }
  if (says('certificate_missing')) return { reason: 'certificate_missing' }
  if (says('certificate')) return { reason: 'certificate', detail: messageOf(error) }
  const method = oidc.client?.clientAuthMethod ?? ''
  const withKey = method === 'private_key_jwt'
  if (says('client_authentication_missing')) {
    if (isTlsMethod(method)) return { reason: 'certificate_missing' }
    return { reason: withKey ? 'assertion_missing' : 'secret_missing' }
  }
  if (withKey && says('signature_algorithm')) return { reason: 'algorithm', detail: messageOf(error) }
  if (says('client_assertion') || (withKey && error.error === 'invalid_client')) {
    return { reason: 'assertion', detail: messageOf(error) }
  }
  return error.error === 'invalid_client' && says('secret_wrong') ? { reason: 'secret_wrong' } : undefined
}

const CODE_ERRORS: [ErrorText, clientDiagnostics.ClientErrorReason][] = [
  ['redirect_uri_changed', 'redirect_uri_changed'],
  ['code_verifier', 'code_verifier'],
]

/** RFC 6749 §5.2. */
function tokenError(ctx: KoaContextWithOIDC, error: ProviderError): Recorded {
  const { params } = ctx.oidc
  const says = (name: ErrorText) => isErrorText(errorDetail(error), name)
  if (says('origin')) return { reason: 'origin', detail: uriWithoutSecrets(ctx.get('origin')) }
  const authentication = clientAuthenticationError(ctx, error)
  if (authentication) return authentication
  switch (error.error) {
    case 'invalid_grant': {
      if (params?.grant_type === 'refresh_token') return { reason: 'refresh_token' }
      if (params?.grant_type === clients.TOKEN_EXCHANGE_GRANT) return { reason: 'subject_token' }
      // A device or app that repeats its request after it was answered: there is nothing to correct.
      if (params?.grant_type === clients.DEVICE_GRANT || params?.grant_type === clients.CIBA_GRANT) return undefined
      return { reason: CODE_ERRORS.find(([name]) => says(name))?.[1] ?? 'code' }
    }
    case 'unsupported_grant_type':
      return { reason: 'grant_type', detail: protocolWord(params?.grant_type) }
    case 'invalid_scope':
      return { reason: 'scope', detail: protocolWord(refusedScope(error)) }
    case 'invalid_target':
      return { reason: 'resource', detail: uriWithoutSecrets(params?.resource) }
    case 'unsupported_token_type':
      // `commitResponse` answers introspection of a JWT.
      return ctx.oidc.route === 'revocation' ? { reason: 'token_type' } : undefined
    case 'invalid_request':
      if (error instanceof InvalidSubjectToken) return { reason: 'subject_token' }
      if (says('grant_type_not_allowed')) return { reason: 'grant_type', detail: protocolWord(params?.grant_type) }
      if (says('code_verifier_missing')) return { reason: 'code_verifier' }
      return { reason: 'token_request', detail: messageOf(error) }
    default:
      return undefined
  }
}

/** RFC 6750 §3.1, RFC 9449 §7.1. oidc-provider answers userinfo for DPoP-bound tokens. */
function userinfoError(_: KoaContextWithOIDC, error: ProviderError): Recorded {
  if (error.error === 'use_dpop_nonce') return undefined
  const says = (name: ErrorText) => isErrorText(errorDetail(error), name)
  if (says('dpop_proof') || says('sender_constraint')) return { reason: 'dpop_proof', detail: messageOf(error) }
  if (says('certificate')) return { reason: 'certificate', detail: messageOf(error) }
  if (error instanceof errors.InsufficientScope) return { reason: 'userinfo_token', detail: 'scope openid is missing' }
  return { reason: 'userinfo_token', detail: messageOf(error) }
}

/** OpenID Connect RP-Initiated Logout §4. */
function endSessionError({ oidc }: KoaContextWithOIDC, error: ProviderError): Recorded {
  const says = (name: ErrorText) => isErrorText(error.error_description, name)
  if (says('post_logout_redirect_uri')) {
    return { reason: 'post_logout_redirect_uri', detail: uriWithoutSecrets(oidc.params?.post_logout_redirect_uri) }
  }
  return { reason: says('id_token_hint') ? 'id_token_hint' : 'end_session_request', detail: messageOf(error) }
}

/** By the name of the route; `tokenError` for the others. */
const CLASSIFY: Partial<Record<string, Classify>> = {
  authorization: authorizationError,
  pushed_authorization_request: pushedRequestError,
  backchannel_authentication: backchannelRequestError,
  userinfo: userinfoError,
  end_session: endSessionError,
}

/** The access token in the Authorization header of a request to userinfo; its client may not be known yet. */
function presentedAccessToken(ctx: KoaContextWithOIDC): string | undefined {
  return ctx.oidc.route === 'userinfo' ? ctx.get('authorization').split(' ')[1] : undefined
}

/** A URI without query, fragment and user, which may contain personal data (decision 0040). */
export function uriWithoutSecrets(value: unknown): string {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  if (!url || typeof value !== 'string' || /[^\x21-\x7e]/.test(value)) return ''
  // A URI with a user cannot be registered, so it is rebuilt without the user.
  const { protocol, host, pathname } = url
  const bare = url.username || url.password ? `${protocol}//${host}${pathname}` : (value.split(/[?#]/)[0] ?? '')
  return /[?#]/.test(value) ? `${bare}?…` : bare
}

/** The value, if it looks like a word of the protocol; empty otherwise. */
function protocolWord(value: unknown): string {
  return typeof value === 'string' && /^[\w .:/-]{1,100}$/.test(value) ? value : ''
}

/** oidc-provider's own sentence, which names parameters and never their values. */
function messageOf(error: ProviderError): string {
  const message = errorDetail(error) || (error.error ?? '')
  return /^[\w .,:;'()/#-]{1,150}$/.test(message) ? message : ''
}

import { type clientDiagnostics, clients } from '@vrata/contract'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { ClientError } from '../../features/client-diagnostics/public.ts'
import { isTlsMethod } from '../../features/clients/public.ts'
import { type ErrorText, errorDetail, isErrorText, type ProviderError, refusedScope } from '../provider/compat.ts'
import { CertificatesNotAccepted, ClientDisabled } from '../provider/provider-errors.ts'
import { withRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/** What is recorded of an error; undefined when the client's developers cannot do anything about it. */
type Recorded = Omit<ClientError, 'client_id'> | undefined
type Classify = (ctx: KoaContextWithOIDC, error: ProviderError) => Recorded

/** Listens to the errors of oidc-provider and drafts what is recorded for the client's developers (decision 0040). */
export function recordClientErrors(provider: Provider): void {
  const listener = (classify: Classify) =>
    withRequest((request, ctx: KoaContextWithOIDC, error: Error) => draftClientError(request, ctx, error, classify))
  provider.on('authorization.error', listener(authorizationError))
  provider.on('pushed_authorization_request.error', listener(pushedRequestError))
  provider.on('grant.error', listener(tokenError))
  provider.on('revocation.error', listener(tokenError))
}

function draftClientError(
  { clientError }: ProviderRequest,
  ctx: KoaContextWithOIDC,
  error: ProviderError,
  classify: Classify,
): void {
  const { client, params } = ctx.oidc
  const refused = error instanceof ClientDisabled || error instanceof CertificatesNotAccepted
  const client_id = refused ? error.client_id : (client?.clientId ?? params?.client_id)
  const recorded = refused ? refusalOf(error) : classify(ctx, error)
  if (recorded && typeof client_id === 'string') clientError.set({ client_id, ...recorded })
}

function refusalOf(error: ClientDisabled | CertificatesNotAccepted): Recorded {
  return error instanceof ClientDisabled
    ? { reason: 'client_disabled' }
    : { reason: 'certificate', detail: messageOf(error) }
}

/** RFC 6749 §4.1.2.1. That the user must sign in or has denied the request is not recorded. */
function authorizationError({ oidc }: KoaContextWithOIDC, error: ProviderError): Recorded {
  const { params } = oidc
  const says = (name: ErrorText) => isErrorText(error.error_description, name)
  if (error instanceof errors.InvalidRedirectUri) {
    return { reason: 'redirect_uri', detail: uriWithoutSecrets(params?.redirect_uri) }
  }
  if (error instanceof errors.InvalidScope) return { reason: 'scope', detail: protocolWord(refusedScope(error)) }
  if (error instanceof errors.UnsupportedResponseType || says('response_type')) {
    return { reason: 'response_type', detail: protocolWord(params?.response_type) }
  }
  if (error instanceof errors.InvalidRequestUri) return { reason: 'request_uri' }
  if (error instanceof errors.InvalidRequestObject) return { reason: 'request_object', detail: messageOf(error) }
  if (!(error instanceof errors.InvalidRequest) || error instanceof errors.SessionNotFound) return undefined
  if (says('par_required')) return { reason: 'par_required' }
  if (says('pkce_required') || (says('pkce_method') && !params?.code_challenge)) return { reason: 'pkce_missing' }
  if (says('pkce_method')) return { reason: 'pkce_method', detail: protocolWord(params?.code_challenge_method) }
  return { reason: 'authorization_request', detail: messageOf(error) }
}

/** RFC 9126 §2.3: errors of client authentication and of the authorization request. */
function pushedRequestError(ctx: KoaContextWithOIDC, error: ProviderError): Recorded {
  return clientAuthenticationError(ctx, error) ?? authorizationError(ctx, error)
}

/** Errors of client authentication (RFC 6749 §2.3, RFC 7523 §3) of the DPoP proof (RFC 9449 §5) and the certificate (RFC 8705). */
function clientAuthenticationError({ oidc }: KoaContextWithOIDC, error: ProviderError): Recorded {
  const says = (name: ErrorText) => isErrorText(errorDetail(error), name)
  if (says('dpop_missing')) return { reason: 'dpop_missing' }
  // A required nonce is a step of the protocol and no error (RFC 9449 §8).
  if (says('dpop_proof') && error.error !== 'use_dpop_nonce') return { reason: 'dpop_proof', detail: messageOf(error) }
  if (says('certificate_missing')) return { reason: 'certificate_missing' }
  if (says('certificate')) return { reason: 'certificate', detail: messageOf(error) }
  const method = oidc.client?.clientAuthMethod ?? ''
  const withKey = method === 'private_key_jwt'
  if (says('client_authentication_missing')) {
    if (isTlsMethod(method)) return { reason: 'certificate_missing' }
    return { reason: withKey ? 'assertion_missing' : 'secret_missing' }
  }
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
      // A device that repeats its request after it was answered: there is nothing to correct.
      if (params?.grant_type === clients.DEVICE_GRANT) return undefined
      return { reason: CODE_ERRORS.find(([name]) => says(name))?.[1] ?? 'code' }
    }
    case 'unsupported_grant_type':
      return { reason: 'grant_type', detail: protocolWord(params?.grant_type) }
    case 'invalid_scope':
      return { reason: 'scope', detail: protocolWord(refusedScope(error)) }
    case 'invalid_request':
      if (says('grant_type_not_allowed')) return { reason: 'grant_type', detail: protocolWord(params?.grant_type) }
      if (says('code_verifier_missing')) return { reason: 'code_verifier' }
      return { reason: 'token_request', detail: messageOf(error) }
    default:
      return undefined
  }
}

/** A URI without query, fragment and user, which may contain personal data (decision 0040). */
export function uriWithoutSecrets(value: unknown): string {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  if (!url || typeof value !== 'string' || /[^\x21-\x7e]/.test(value)) return ''
  const bare = value.split(/[?#]/)[0] ?? ''
  return bare === value ? bare.replace(/\/\/[^/@]*@/, '//') : `${bare.replace(/\/\/[^/@]*@/, '//')}?…`
}

/** The value, if it looks like a word of the protocol; empty otherwise. */
function protocolWord(value: unknown): string {
  return typeof value === 'string' && /^[\w .:/-]{1,100}$/.test(value) ? value : ''
}

/** oidc-provider's own sentence, which names parameters and never their values. */
function messageOf(error: ProviderError): string {
  const message = errorDetail(error)
  return /^[\w .,:;'()/#-]{1,150}$/.test(message) ? message : ''
}

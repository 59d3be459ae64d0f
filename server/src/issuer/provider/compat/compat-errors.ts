import type { ErrorOut, Provider } from 'oidc-provider'

// The part of compat.ts about errors of oidc-provider: their undocumented members and texts. Its tests are in compat.test.ts.

/** An error of oidc-provider as its events emit it. */
export type ProviderError = Error & {
  error?: string
  error_description?: string
  error_detail?: string
  scope?: string
}

/** Depends on oidc-provider 9.x: `error_detail` is for logs and says more than `error_description`. */
export function errorDetail({ error_detail, error_description = '' }: ProviderError): string {
  return typeof error_detail === 'string' ? error_detail : error_description
}

/** Depends on oidc-provider 9.x: `scope` of `invalid_scope` is the scope that was refused. */
export function refusedScope(error: Error): unknown {
  return (error as ProviderError).scope
}

/** Depends on oidc-provider 9.x: texts of errors that have no code of their own. */
const ERROR_TEXTS = {
  response_type: /response_type/,
  par_required: /^Pushed Authorization Request must be used/,
  pkce_required: /requires PKCE/,
  pkce_method: /code_challenge_method/,
  dpop_missing: /missing DPoP proof|DPoP proof JWT not provided/,
  dpop_proof: /DPoP/,
  certificate_missing: /client certificate (was )?not provided/,
  certificate: /client certificate|certificate subject|x5t#S256/,
  client_authentication_missing:
    /^(the provided authentication mechanism does not match|no client authentication mechanism)/,
  client_assertion: /client_assertion/,
  secret_wrong: /invalid secret/,
  redirect_uri_changed: /redirect_uri mismatch/,
  code_verifier: /code_verifier|code_challenge/,
  code_verifier_missing: /code_verifier/,
  origin: /^\S* ?origin .* not allowed/,
  login_hint: /login_hint_token|id_token_hint/,
  grant_type_not_allowed: /grant type is not allowed|(_code|:ciba) is not allowed/,
  response_mode: /response_mode/,
  request_object_required: /^Request Object must be used/,
  signature_algorithm: /alg mismatch|unsupported signed request alg|preregistered alg/,
  sender_constraint: /jkt verification|not sender-constrained/,
  redirect_uri_missing: /^missing required parameters? .*'redirect_uri'/,
  post_logout_redirect_uri: /^post_logout_redirect_uri not registered$/,
  id_token_hint: /id_token_hint/,
} as const
export type ErrorText = keyof typeof ERROR_TEXTS

/** Whether `errorDetail` or a description is the text of that name. */
export function isErrorText(text: string | undefined, name: ErrorText): boolean {
  return ERROR_TEXTS[name].test(text ?? '')
}

/**
 * Depends on oidc-provider 9.x: a grant type or response type that the client may not use is `invalid_request`, although
 * RFC 6749 §5.2 has `unauthorized_client`.
 */
export function isUnauthorizedClient({ error, error_description = '' }: ErrorOut): boolean {
  return error === 'invalid_request' && /grant type is not allowed|(_code|:ciba) is not allowed/.test(error_description)
}

/**
 * Depends on oidc-provider 9.x: a request without `response_type` has no response mode, which `responseModeAllowed` refuses before the library
 * says what is missing. Throws when there is no such function.
 */
export function nameMissingResponseType({ Client }: Provider): void {
  type IsAllowed = (this: unknown, mode: string | undefined, ...rest: unknown[]) => boolean
  const prototype = Client.prototype as unknown as { responseModeAllowed: IsAllowed }
  const { responseModeAllowed } = prototype
  if (typeof responseModeAllowed !== 'function') throw new Error('oidc-provider: responseModeAllowed is missing')
  prototype.responseModeAllowed = function (mode, ...rest) {
    return mode === undefined || responseModeAllowed.call(this, mode, ...rest)
  }
}

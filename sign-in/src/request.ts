import { SignInError } from './error.ts'
import type { PendingRequest, SignInOptions, SignInResult } from './types.ts'

/** Parameters of an authorization response in any response mode (RFC 6749 §4.1.2, RFC 9207). */
export type AuthorizationResponse = { [name: string]: string | null | undefined }

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const random = () => encode(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Prepares a request. It runs before the popup opens, because browsers only allow a popup synchronously after a click.
 */
export function createRequest({ issuer, client_id, redirect_uri }: SignInOptions): PendingRequest {
  return {
    issuer: new URL(issuer).origin,
    client_id,
    redirect_uri: redirect_uri ?? location.origin + location.pathname,
    state: random(),
    nonce: random(),
    code_verifier: random(),
  }
}

/** URL of the authorization request, with PKCE (RFC 7636). */
export async function authorizationUrl(
  request: PendingRequest,
  options: SignInOptions,
  response_mode: string,
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(request.code_verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    response_mode,
    client_id: request.client_id,
    redirect_uri: request.redirect_uri,
    scope: options.scope ?? 'openid profile email',
    state: request.state,
    nonce: request.nonce,
    code_challenge: encode(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  for (const name of ['prompt', 'login_hint', 'ui_locales'] as const) {
    const value = options[name]
    if (value) query.set(name, value)
  }
  return `${request.issuer}/authorize?${query}`
}

/** Returns the code of an authorization response after checking `state` and `iss` (RFC 9207 §2.4). */
export function parseResponse(response: AuthorizationResponse, { state, ...request }: PendingRequest): SignInResult {
  if (response.error) {
    const reason = response.error === 'access_denied' ? 'denied' : 'failed'
    throw new SignInError(reason, response.error, response.error_description)
  }
  if (response.state !== state || response.iss !== request.issuer || !response.code) {
    throw new SignInError('failed', 'invalid_response')
  }
  return { ...request, code: response.code }
}

import { SignInError } from './error.ts'
import type { Pending, SignInOptions, SignInResult } from './types.ts'

/** What an authorization response says, however it came (RFC 6749 §4.1.2, RFC 9207). */
export type Answer = { [name: string]: string | null | undefined }

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const random = () => encode(crypto.getRandomValues(new Uint8Array(32)))

/** Begins a request: made before the popup opens, so that nothing waits between the press and the window. */
export function begin({ issuer, client_id, redirect_uri }: SignInOptions): Pending {
  return {
    issuer: new URL(issuer).origin,
    client_id,
    redirect_uri: redirect_uri ?? location.origin + location.pathname,
    state: random(),
    nonce: random(),
    code_verifier: random(),
  }
}

/** Address of the authorization request, with PKCE (RFC 7636). */
export async function addressOf(pending: Pending, options: SignInOptions, response_mode: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.code_verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    response_mode,
    client_id: pending.client_id,
    redirect_uri: pending.redirect_uri,
    scope: options.scope ?? 'openid profile email',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: encode(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  for (const name of ['prompt', 'login_hint', 'ui_locales'] as const) {
    const value = options[name]
    if (value) query.set(name, value)
  }
  return `${pending.issuer}/authorize?${query}`
}

/** The code in an answer, if it answers this request and comes from this issuer. */
export function resultOf(answer: Answer, { state, ...pending }: Pending): SignInResult {
  if (answer.error) {
    const reason = answer.error === 'access_denied' ? 'denied' : 'failed'
    throw new SignInError(reason, answer.error, answer.error_description)
  }
  if (answer.state !== state || answer.iss !== pending.issuer || !answer.code) {
    throw new SignInError('failed', 'invalid_response')
  }
  return { ...pending, code: answer.code }
}

import { SignInError } from './error.ts'
import type { SignInResult } from './types.ts'

/** Token response (RFC 6749 §5.1) with the claims of the ID token. */
export interface Tokens {
  access_token: string
  expires_in: number
  scope?: string
  id_token?: string
  refresh_token?: string
  claims?: { sub: string; [claim: string]: unknown }
}

/**
 * Exchanges the code, for apps without a server. The origin must be registered. The ID token comes from the token
 * endpoint over TLS, so its claims are checked and its signature is not (OpenID Connect Core §3.1.3.7).
 *
 * @throws {SignInError}
 */
export async function exchange({ issuer, nonce, ...result }: SignInResult): Promise<Tokens> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', ...result })
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body, credentials: 'omit' })
  const tokens = await answer.json()
  if (!answer.ok) throw new SignInError('failed', tokens.error, tokens.error_description)
  if (!tokens.id_token) return tokens
  const claims = claimsOf(tokens.id_token)
  const audience = [claims.aud].flat()
  const isOurs = claims.iss === issuer && audience.includes(result.client_id) && claims.nonce === nonce
  if (!isOurs || !(claims.exp > Date.now() / 1000 - 60)) throw new SignInError('failed', 'invalid_id_token')
  return { ...tokens, claims }
}

function claimsOf(token: string) {
  const [, payload = ''] = token.split('.')
  const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0))))
}

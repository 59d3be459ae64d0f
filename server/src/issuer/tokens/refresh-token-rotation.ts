import { LIFETIMES } from '@vrata/contract'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { timeAfter } from '../../db/values.ts'
import { isKeyMethod } from '../../features/clients/public.ts'
import { refreshTokenOf } from '../provider/compat/compat.ts'
import { FamilyEndedError, SessionEndedError } from '../provider/provider-errors.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { updateTokenExpiry } from './store.ts'
import { tokenKey } from './token-keys.ts'

/**
 * Hook `rotateRefreshToken`: true, except for a client that authenticates with its key and has its tokens bound to
 * another one. A thief cannot use its refresh token, while a lost response would sign the user out; using the token
 * extends its life instead (decision 0035, RFC 9700 §4.14.2, FAPI 2.0 §5.3.2.1).
 */
export async function rotateRefreshToken(request: ProviderRequest, { oidc }: KoaContextWithOIDC): Promise<boolean> {
  const { client: authenticated } = oidc
  const token = refreshTokenOf(oidc)
  if (token && hasFamilyEnded(token)) throw new FamilyEndedError()
  const client = authenticated && (await request.reads.client(authenticated.clientId))
  if (!client || !token || !isKeyMethod(client.token_endpoint_auth_method)) return true
  if (!client.dpop_bound_access_tokens && !client.tls_client_certificate_bound_access_tokens) return true
  const expires_at = timeAfter(request.now, refreshTokenLifetime(token, client.refresh_token_ttl))
  // Tokens are locked after the session and connection of the new access token (decision 0012). A token that is consumed needs no such
  // condition.
  request.finalWrites.push(async ({ db }) => {
    if (!(await updateTokenExpiry(db, tokenKey(token.jti), expires_at))) throw new SessionEndedError()
  })
  return false
}

type Family = { iiat?: number | undefined }

/**
 * Seconds: the client's idle lifetime, limited by the absolute lifetime since the first token of the family (`iiat`). At least one, as the end may come
 * after `hasFamilyEnded` has looked.
 */
export function refreshTokenLifetime(token: Family, idle: number): number {
  return Math.max(1, Math.min(idle, LIFETIMES.refresh_absolute - ageOf(token)))
}

/**
 * Whether the absolute end of a family has come, or comes within this second. A token that expires later may still be there, because a lifetime
 * has whole seconds, and none follows it.
 */
export function hasFamilyEnded(token: Family): boolean {
  return ageOf(token) >= LIFETIMES.refresh_absolute
}

function ageOf({ iiat }: Family): number {
  return iiat ? Math.floor(Date.now() / 1000) - iiat : 0
}

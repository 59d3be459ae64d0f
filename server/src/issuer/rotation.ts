import { LIFETIMES } from '@vrata/contract'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { timeAfter } from '../db/values.ts'
import { hashToken } from '../ports/ids.ts'
import { prolongToken } from './token-store.ts'
import { unitOfWork } from './unit-of-work.ts'

/**
 * Refresh tokens are exchanged at every use, so that a stolen one shows (decision 0062). Not where the app needs one key to use
 * them and another for what it gets: a thief could do nothing with them, and an answer that is lost on its way would sign the
 * person out (RFC 9700 §4.14.2, FAPI 2.0 §5.3.2.1). Such a token lives on by being used instead.
 */
export async function rotates({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const { client, entities } = oidc
  const token = entities.RefreshToken
  if (client?.clientAuthMethod !== 'private_key_jwt' || !client.dpopBoundAccessTokens || !token) return true
  const unit = unitOfWork()
  const known = await unit.client(client.clientId)
  if (!known) return true
  const expires_at = timeAfter(unit.now, refreshLife(token, known.refresh_token_ttl))
  // After the session and the connection are held for the new access token (decision 0197).
  unit.atLast(({ db }) => prolongToken(db, hashToken(token.jti), expires_at))
  return false
}

/** Seconds: idle as the app wants it, and never beyond the end of the first token's longest life. */
export function refreshLife(token: { iiat?: number }, idle: number): number {
  const lived = token.iiat ? Math.floor(Date.now() / 1000) - token.iiat : 0
  return Math.max(1, Math.min(idle, LIFETIMES.refresh_absolute - lived))
}

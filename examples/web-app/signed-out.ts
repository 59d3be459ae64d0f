import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Configuration } from 'openid-client'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
let keys: JWTVerifyGetKey | undefined

/**
 * Validates a logout token (OpenID Connect Back-Channel Logout §2.6). Returns the ended session (`sid`), or the user whose
 * sessions have all ended (`sub` alone); undefined if the token is not valid.
 */
export async function readLogoutToken(
  vrata: Configuration,
  token: unknown,
): Promise<{ sid?: unknown; sub?: string | undefined } | undefined> {
  const { issuer, jwks_uri = '' } = vrata.serverMetadata()
  keys ??= createRemoteJWKSet(new URL(jwks_uri))
  const checks = {
    issuer,
    audience: vrata.clientMetadata().client_id,
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'exp'],
  }
  const verified = await jwtVerify(String(token), keys, checks).catch(() => undefined)
  const { events, nonce, sid, sub } = verified?.payload ?? {}
  const isLogout = typeof events === 'object' && events !== null && EVENT in events && nonce === undefined
  return isLogout && (sid || sub) ? { sid, sub } : undefined
}

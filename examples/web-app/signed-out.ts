import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Configuration } from 'openid-client'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
let keys: JWTVerifyGetKey | undefined

/**
 * Whose session has ended, or all sessions of whom; undefined when the token is not one for us (OpenID Connect
 * Back-Channel Logout §2.6).
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
  const checked = await jwtVerify(String(token), keys, checks).catch(() => undefined)
  const { events, nonce, sid, sub } = checked?.payload ?? {}
  const isLogout = typeof events === 'object' && events !== null && EVENT in events && nonce === undefined
  return isLogout && (sid || sub) ? { sid, sub } : undefined
}

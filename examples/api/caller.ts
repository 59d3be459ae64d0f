import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { type Configuration, tokenIntrospection } from 'openid-client'

/** The user, the client and the scopes of an access token. */
export type Caller = { sub: string; client_id: string; scopes: string[] }

/** Errors of `jose` that mean that the key set could not be fetched. */
const KEY_SET_ERRORS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

/** Returns a function that validates an access token for this audience; it returns undefined if the token is not valid for this API. */
export function createTokenValidator(
  vrata: Configuration,
  audience: string,
): (token: string) => Promise<Caller | undefined> {
  const { issuer, jwks_uri = '' } = vrata.serverMetadata()
  const keys = createRemoteJWKSet(new URL(jwks_uri))

  /** Local validation (RFC 9068 §4). Needs no request, but accepts a revoked token until it expires. */
  async function validateJwt(token: string): Promise<Caller | undefined> {
    try {
      const checks = { issuer, audience, typ: 'at+jwt', requiredClaims: ['exp', 'sub', 'client_id'] }
      const { payload } = await jwtVerify(token, keys, checks)
      return toCaller(payload)
    } catch (error) {
      // An invalid token is the caller's fault; unavailable keys are not.
      if (error instanceof errors.JOSEError && !KEY_SET_ERRORS.has(error.code)) return undefined
      throw error
    }
  }

  /** Introspection (RFC 7662). Needs a request each time, and rejects a revoked token at once. */
  async function introspect(token: string): Promise<Caller | undefined> {
    const { active, ...claims } = await tokenIntrospection(vrata, token)
    return active ? toCaller(claims) : undefined
  }

  return (token) => (token.split('.').length === 3 ? validateJwt(token) : introspect(token))
}

function toCaller({ sub, client_id, scope }: Record<string, unknown>): Caller {
  return { sub: String(sub), client_id: String(client_id), scopes: String(scope ?? '').split(' ') }
}

import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { type Configuration, tokenIntrospection } from 'openid-client'

/** On whose behalf a request comes, through which app, and what was allowed. */
export type Caller = { sub: string; client_id: string; scopes: string[] }

const NO_KEYS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

/** Answers who is behind an access token; undefined when it is worth nothing here. */
export function callerBy(vrata: Configuration): (token: string) => Promise<Caller | undefined> {
  const { issuer, jwks_uri = '' } = vrata.serverMetadata()
  const keys = createRemoteJWKSet(new URL(jwks_uri))
  const audience = `${issuer}/resources/${vrata.clientMetadata().client_id}`

  /** RFC 9068 §4. Quick, and needs nobody; but what was taken back since then counts until the token ends. */
  async function readJwt(token: string): Promise<Caller | undefined> {
    try {
      const checks = { issuer, audience, typ: 'at+jwt', requiredClaims: ['exp', 'sub', 'client_id'] }
      const { payload } = await jwtVerify(token, keys, checks)
      return callerIn(payload)
    } catch (error) {
      // A bad token is the caller's fault. That no keys could be had is not.
      if (error instanceof errors.JOSEError && !NO_KEYS.has(error.code)) return undefined
      throw error
    }
  }

  /** RFC 7662. Asks each time, and so hears at once of everything that has ended. */
  async function introspect(token: string): Promise<Caller | undefined> {
    const { active, ...said } = await tokenIntrospection(vrata, token)
    return active ? callerIn(said) : undefined
  }

  return (token) => (token.split('.').length === 3 ? readJwt(token) : introspect(token))
}

function callerIn({ sub, client_id, scope }: Record<string, unknown>): Caller {
  return { sub: String(sub), client_id: String(client_id), scopes: String(scope ?? '').split(' ') }
}

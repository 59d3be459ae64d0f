import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import type { OAuthMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/** Errors of `jose` that mean that the key set could not be fetched, which is not the caller's fault. */
const KEY_SET_ERRORS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

/** Verifies JWT access tokens (RFC 9068 §4) of this authorization server for this audience. */
export function createTokenVerifier({ issuer, ...metadata }: OAuthMetadata, audience: string): OAuthTokenVerifier {
  const keys = createRemoteJWKSet(new URL(String(metadata.jwks_uri)))
  const checks = { issuer, audience, typ: 'at+jwt', requiredClaims: ['exp', 'sub', 'client_id'] }
  return {
    async verifyAccessToken(token) {
      try {
        const { payload } = await jwtVerify<{ client_id: string; scope?: string }>(token, keys, checks)
        return {
          token,
          clientId: payload.client_id,
          scopes: payload.scope?.split(' ') ?? [],
          expiresAt: Number(payload.exp),
          extra: { sub: payload.sub },
        }
      } catch (error) {
        if (error instanceof errors.JOSEError && !KEY_SET_ERRORS.has(error.code)) {
          throw new InvalidTokenError('The token is not valid for this server')
        }
        throw error
      }
    },
  }
}

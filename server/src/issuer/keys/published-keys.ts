import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** Our published keys, for verifying signatures. */
export type PublishedKeys = JWTVerifyGetKey

export function publishedKeys(jwks: JSONWebKeySet): PublishedKeys {
  return createLocalJWKSet(jwks)
}

import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** Our published keys, for verifying signatures. */
export type PublishedKeys = JWTVerifyGetKey

/** Finds the key of a signature in our key set, without a request. */
export function publishedKeys(jwks: JSONWebKeySet): PublishedKeys {
  return createLocalJWKSet(jwks)
}

import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { ROUTES } from '../paths.ts'
import { ownMetadata } from './client-metadata.ts'

/** Longest lifetime of a client assertion, in seconds; libraries use a few minutes. */
const ASSERTION_LIFETIME = 3600

type Claims = { aud?: unknown; exp?: unknown }
type Header = { alg?: unknown }

/**
 * Hook `assertJwtClientAuthClaimsAndHeader`. The audience of a client assertion is a single value: the issuer, so that another
 * server cannot present it here (rfc7523bis §4), or the token endpoint, which OpenID Connect Core §9 told clients to name. With
 * the profile FAPI 2.0 it is the issuer (FAPI 2.0 Security Profile §5.3.2.1). The assertion expires soon (RFC 7523 §3).
 */
export async function assertClientAssertion(
  { oidc }: KoaContextWithOIDC,
  { aud, exp }: Claims,
  { alg }: Header,
): Promise<void> {
  const fapi2 = ownMetadata(oidc.client).security_profile === 'fapi2'
  if (aud !== oidc.issuer && (fapi2 || aud !== oidc.issuer + ROUTES.token)) {
    throw new errors.InvalidClientAuth(
      fapi2
        ? 'audience (aud) must be the issuer alone'
        : 'audience (aud) must be the issuer or the token endpoint alone',
    )
  }
  if (fapi2 && alg === 'RS256') throw new errors.InvalidClientAuth('alg RS256 is not allowed by FAPI 2.0')
  if (Number(exp) > Date.now() / 1000 + ASSERTION_LIFETIME)
    throw new errors.InvalidClientAuth('expiration (exp) is too far off')
}

/**
 * Hook `assertJwtClaimsAndHeader`. A request object must expire, so that it cannot be replayed for ever (RFC 9101 §10.2).
 * FAPI 2.0 excludes RS256 (FAPI 2.0 Security Profile §5.4.1).
 */
export async function assertRequestObject(
  { oidc }: KoaContextWithOIDC,
  { exp }: Claims,
  { alg }: Header,
): Promise<void> {
  if (exp === undefined) throw new errors.InvalidRequestObject('exp is missing')
  if (alg === 'RS256' && ownMetadata(oidc.client).security_profile === 'fapi2') {
    throw new errors.InvalidRequestObject('alg RS256 is not allowed by FAPI 2.0')
  }
}

import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { ROUTES } from '../../paths.ts'
import type { ProviderRequest } from '../../request/provider-request.ts'
import { withReason } from '../provider-errors.ts'

/** Longest lifetime of a client assertion, in seconds; libraries use a few minutes. */
const ASSERTION_LIFETIME = 3600
/** Longest lifetime of a request object after `nbf`, in seconds (FAPI 2.0 Message Signing §5.3.1). */
const REQUEST_OBJECT_LIFETIME = 3600
/** Seconds by which `iat` may lie in the future (FAPI 2.0 Security Profile §5.3.2.1). */
const CLOCK_SKEW = 60

type Claims = { aud?: unknown; exp?: unknown; nbf?: unknown; iat?: unknown; jti?: unknown }
type Header = { alg?: unknown }

/** FAPI 2.0 allows PS256, ES256 and EdDSA with Ed25519 (FAPI 2.0 Security Profile §5.4.1). */
export function isAllowedByFapi2(alg: unknown): boolean {
  return alg !== 'RS256'
}

export const ALG_NOT_ALLOWED = 'alg RS256 is not allowed by FAPI 2.0'

/**
 * Hook `assertJwtClientAuthClaimsAndHeader`. The audience of a client assertion is a single value: the issuer, so that another
 * server cannot present it here (rfc7523bis §4), or the token endpoint, which OpenID Connect Core §9 told clients to name, or the
 * endpoint of backchannel authentication requests for those (OpenID Connect CIBA Core §7.1). An endpoint may be named by its alias
 * for client certificates (RFC 8705 §5). With
 * the profile FAPI 2.0 it is the issuer (FAPI 2.0 Security Profile §5.3.2.1). The assertion expires soon (RFC 7523 §3).
 */
export async function assertClientAssertion(
  { deps }: Pick<ProviderRequest, 'deps'>,
  { oidc }: KoaContextWithOIDC,
  { aud, exp, iat }: Claims,
  { alg }: Header,
): Promise<void> {
  const fapi2 = oidc.isFapi('2.0') !== undefined
  const isBackchannel = oidc.route === 'backchannel_authentication'
  const endpoints = [ROUTES.token, ...(isBackchannel ? [ROUTES.backchannel_authentication] : [])]
  const origins = [oidc.issuer, ...(deps.config.mtls?.url ? [deps.config.mtls.url] : [])]
  const named = origins.flatMap((origin) => endpoints.map((endpoint): unknown => origin + endpoint))
  if (aud !== oidc.issuer && (fapi2 || !named.includes(aud))) {
    const expected = fapi2 ? 'the issuer' : 'the issuer or the token endpoint'
    const detail = `audience (aud) must be ${expected} alone, as a string and not in a list`
    throw withReason('assertion_audience', new errors.InvalidClientAuth(detail))
  }
  if (fapi2 && !isAllowedByFapi2(alg)) throw withReason('algorithm', new errors.InvalidClientAuth(ALG_NOT_ALLOWED))
  if (fapi2 && isFarAhead(iat)) throw new errors.InvalidClientAuth('iat is too far in the future')
  if (Number(exp) > Date.now() / 1000 + ASSERTION_LIFETIME)
    throw new errors.InvalidClientAuth('expiration (exp) is too far off')
}

/**
 * Hook `assertJwtClaimsAndHeader`. A request object must expire, so that it cannot be replayed for ever (RFC 9101 §10.2). With
 * FAPI 2.0 it also says when it begins, and lives for an hour at most (FAPI 2.0 Message Signing §5.3.1). oidc-provider checks
 * that it has begun and has not expired, and calls this for pushed requests without a signature, too, which it signs by itself.
 * A backchannel authentication request obeys the same rules in every profile (FAPI-CIBA §5.2.2); its `jti` is used once (OpenID
 * Connect CIBA Core §7.1.1).
 */
export async function assertRequestObject(
  { oidc }: KoaContextWithOIDC,
  { exp, nbf, iat, jti }: Claims,
  { alg }: Header,
): Promise<void> {
  if (exp === undefined) throw wrongLifetime('exp is missing')
  const isBackchannel = oidc.route === 'backchannel_authentication'
  const fapi2 = oidc.isFapi('2.0') !== undefined
  if (!fapi2 && !isBackchannel) return
  if (fapi2 && !isAllowedByFapi2(alg)) throw withReason('algorithm', new errors.InvalidRequestObject(ALG_NOT_ALLOWED))
  if (nbf === undefined) throw wrongLifetime('nbf is missing')
  if (isBackchannel && iat === undefined) throw wrongLifetime('iat is missing')
  // As it has not expired, this also rejects one that began more than an hour ago.
  if (Number(exp) - Number(nbf) > REQUEST_OBJECT_LIFETIME) throw wrongLifetime('exp is more than 60 minutes after nbf')
  if (isFarAhead(iat)) throw wrongLifetime('iat is too far in the future')
  if (isBackchannel) await assertFirstUse(oidc, { jti, exp })
}

async function assertFirstUse({ provider, client }: KoaContextWithOIDC['oidc'], { jti, exp }: Claims): Promise<void> {
  if (typeof jti !== 'string') throw new errors.InvalidRequestObject('jti is missing')
  const isNew = await provider.ReplayDetection.unique(client?.clientId ?? '', `request ${jti}`, Number(exp))
  if (!isNew) throw new errors.InvalidRequestObject('jti was used before')
}

function wrongLifetime(detail: string) {
  return withReason('request_object_lifetime', new errors.InvalidRequestObject(detail))
}

function isFarAhead(iat: unknown): boolean {
  return Number(iat) > Date.now() / 1000 + CLOCK_SKEW
}

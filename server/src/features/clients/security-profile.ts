import { type clients, problem } from '@vrata/contract'
import { isKeyMethod } from './client-certificates.ts'

/** Settings that FAPI 2.0 fixes (FAPI 2.0 Security Profile §5.3.2). */
const FAPI2: Partial<clients.Advanced> = {
  require_client_secret: true,
  require_pkce: true,
  require_pushed_authorization_requests: true,
  allow_popup: false,
}

/** FAPI 2.0 requires one of them (FAPI 2.0 Security Profile §5.3.2.1). */
const SENDER_CONSTRAINTS: readonly string[] = [
  'dpop_bound_access_tokens',
  'tls_client_certificate_bound_access_tokens',
] satisfies (keyof clients.Advanced)[]

/** Signature algorithms, of which FAPI 2.0 excludes RS256 (FAPI 2.0 Security Profile §5.4.1). */
const ALGORITHMS: readonly string[] = [
  'id_token_signed_response_alg',
  'token_endpoint_auth_signing_alg',
  'request_object_signing_alg',
] satisfies (keyof clients.Advanced)[]

/**
 * Returns settings that obey their security profile. Throws `fixed_by_profile` when `changes`, which are part of `next`, contradict
 * it (api §9.1).
 */
export function applySecurityProfile(next: clients.Advanced, changes: Partial<clients.Advanced>): clients.Advanced {
  if (next.security_profile !== 'fapi2') return next
  const unbound = !next.dpop_bound_access_tokens && !next.tls_client_certificate_bound_access_tokens
  const contradicting = Object.entries(changes).filter(
    ([name, value]) => !isAllowed(name, value) || (unbound && SENDER_CONSTRAINTS.includes(name)),
  )
  if (contradicting.length > 0) {
    throw problem('fixed_by_profile', {
      fields: Object.fromEntries(contradicting.map(([name]) => [name, 'wrong'] as const)),
    })
  }
  return {
    ...next,
    ...FAPI2,
    token_endpoint_auth_method: isKeyMethod(next.token_endpoint_auth_method)
      ? next.token_endpoint_auth_method
      : 'private_key_jwt',
    dpop_bound_access_tokens: next.dpop_bound_access_tokens || unbound,
    id_token_signed_response_alg: withoutRs256(next.id_token_signed_response_alg) ?? 'ES256',
    token_endpoint_auth_signing_alg: withoutRs256(next.token_endpoint_auth_signing_alg),
    request_object_signing_alg: withoutRs256(next.request_object_signing_alg),
  }
}

function isAllowed(name: string, value: unknown): boolean {
  if (name === 'token_endpoint_auth_method') return isKeyMethod(String(value))
  if (ALGORITHMS.includes(name)) return value !== 'RS256'
  return !(name in FAPI2) || value === FAPI2[name as keyof clients.Advanced]
}

function withoutRs256<Algorithm extends string>(alg: Algorithm | null): Exclude<Algorithm, 'RS256'> | null {
  return alg === 'RS256' ? null : (alg as Exclude<Algorithm, 'RS256'> | null)
}

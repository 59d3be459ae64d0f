import { type clients, problem } from '@vrata/contract'

/** Settings that FAPI 2.0 fixes (FAPI 2.0 Security Profile §5.3.2). */
const FAPI2: Partial<clients.Advanced> = {
  require_client_secret: true,
  token_endpoint_auth_method: 'private_key_jwt',
  require_pkce: true,
  require_pushed_authorization_requests: true,
  dpop_bound_access_tokens: true,
  allow_popup: false,
}

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
  const contradicting = Object.entries(changes).filter(([name, value]) => !isAllowed(name, value))
  if (contradicting.length > 0) {
    throw problem('fixed_by_profile', {
      fields: Object.fromEntries(contradicting.map(([name]) => [name, 'wrong'] as const)),
    })
  }
  return {
    ...next,
    ...FAPI2,
    id_token_signed_response_alg: withoutRs256(next.id_token_signed_response_alg) ?? 'ES256',
    token_endpoint_auth_signing_alg: withoutRs256(next.token_endpoint_auth_signing_alg),
    request_object_signing_alg: withoutRs256(next.request_object_signing_alg),
  }
}

function isAllowed(name: string, value: unknown): boolean {
  if (ALGORITHMS.includes(name)) return value !== 'RS256'
  return !(name in FAPI2) || value === FAPI2[name as keyof clients.Advanced]
}

function withoutRs256<Algorithm extends string>(alg: Algorithm | null): Exclude<Algorithm, 'RS256'> | null {
  return alg === 'RS256' ? null : (alg as Exclude<Algorithm, 'RS256'> | null)
}

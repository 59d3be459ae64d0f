import { type clients, problem } from '@vrata/contract'
import { isLoopbackUrl } from '../../../lib/loopback.ts'
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

/** Signature algorithms, of which FAPI 2.0 excludes RS256, and what takes its place (FAPI 2.0 Security Profile §5.4.1). */
const WITHOUT_RS256 = {
  id_token_signed_response_alg: 'ES256',
  token_endpoint_auth_signing_alg: null,
  request_object_signing_alg: null,
  backchannel_authentication_request_signing_alg: null,
  authorization_signed_response_alg: null,
  userinfo_signed_response_alg: null,
  introspection_signed_response_alg: null,
} as const satisfies Partial<clients.Advanced>

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
  const replaced = Object.entries(WITHOUT_RS256).filter(([name]) => next[name as keyof clients.Advanced] === 'RS256')
  return {
    ...next,
    ...FAPI2,
    token_endpoint_auth_method: isKeyMethod(next.token_endpoint_auth_method)
      ? next.token_endpoint_auth_method
      : 'private_key_jwt',
    dpop_bound_access_tokens: next.dpop_bound_access_tokens || unbound,
    ...Object.fromEntries(replaced),
  }
}

function isAllowed(name: string, value: unknown): boolean {
  if (name === 'token_endpoint_auth_method') return isKeyMethod(String(value))
  if (name in WITHOUT_RS256) return value !== 'RS256'
  return !(name in FAPI2) || value === FAPI2[name as keyof clients.Advanced]
}

/**
 * FAPI 2.0 sends no authorization response over http, except to a native client on its own device (FAPI 2.0 Security Profile
 * §5.3.2.2). Throws `fixed_by_profile` for a redirect URI that it excludes.
 */
export function validateProfileRedirectUris(
  { security_profile, type }: { security_profile: string; type: string },
  redirect_uris: readonly string[],
): void {
  if (security_profile !== 'fapi2') return
  const allowed = (uri: string) => !uri.startsWith('http:') || (type === 'native' && isLoopbackUrl(uri))
  if (!redirect_uris.every(allowed)) throw problem('fixed_by_profile', { fields: { redirect_uri: 'https_required' } })
}

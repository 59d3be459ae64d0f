import { type clients, problem } from '@vrata/contract'

/**
 * Throws where backchannel authentication requests could not work: they need users and client authentication (OpenID Connect CIBA
 * Core §7.1), a notification needs an address (§4), and a signature needs registered keys. With FAPI they are signed (FAPI-CIBA
 * §5.2.2).
 */
export function validateCiba(type: string, next: clients.Advanced): void {
  const {
    backchannel_token_delivery_mode: mode,
    backchannel_client_notification_endpoint: endpoint,
    backchannel_authentication_request_signing_alg: alg,
  } = next
  if (alg !== null && !next.jwks && !next.jwks_uri) throw problem('keys_required', { fields: { jwks: 'required' } })
  if (mode === null) return
  // oidc-provider takes no client with both that authenticates with a secret, and ID token hints have another subject.
  if (next.subject_type === 'pairwise') throw problem('invalid_request', { fields: { subject_type: 'wrong' } })
  if (type === 'service') throw problem('invalid_request', { fields: { backchannel_token_delivery_mode: 'wrong' } })
  if (!next.require_client_secret) {
    throw problem('secret_required', { fields: { require_client_secret: 'required' } })
  }
  if (mode === 'ping' && endpoint === null) {
    throw problem('invalid_request', { fields: { backchannel_client_notification_endpoint: 'required' } })
  }
  if (next.security_profile === 'fapi2' && alg === null) {
    throw problem('invalid_request', { fields: { backchannel_authentication_request_signing_alg: 'required' } })
  }
}

import { clients, problem } from '@vrata/contract'
import { TLS_AUTH_METHODS, TLS_SUBJECTS } from '@vrata/contract/client-certificates'
import type { Config } from '../../../config/config.ts'
import { isCertificateOf, parseCertificate } from '../../../lib/certificates.ts'

type Settings = clients.Advanced
type Key = NonNullable<Settings['jwks']>['keys'][number]

/** Whether a client that authenticates by this method proves possession of a key, and sends no secret. */
export function isKeyMethod(method: string): boolean {
  return clients.KEY_AUTH_METHODS.some((one) => one === method)
}

/** Whether the client authenticates with a TLS certificate (RFC 8705 §2). */
export function isTlsMethod(method: string): boolean {
  return TLS_AUTH_METHODS.some((one) => one === method)
}

/** Whether the requests of the client need a certificate that the operator's proxy passes on. */
export function needsCertificates(
  client: Pick<Settings, 'token_endpoint_auth_method' | 'tls_client_certificate_bound_access_tokens'>,
): boolean {
  return isTlsMethod(client.token_endpoint_auth_method) || client.tls_client_certificate_bound_access_tokens
}

/**
 * Merges settings of certificates: a new name of the certificate replaces the former one, and one way to bind tokens replaces
 * the other. Throws `invalid_request` for changes that set two of either.
 */
export function mergeCertificates(next: Settings, changes: Partial<Settings>): Settings {
  const names = TLS_SUBJECTS.filter((name) => changes[name])
  if (names.length > 1) throw wrong(names[1] as string)
  const others = names[0] ? TLS_SUBJECTS.filter((name) => name !== names[0]) : []
  const merged = { ...next, ...Object.fromEntries(others.map((name) => [name, null])) }
  if (merged.dpop_bound_access_tokens && merged.tls_client_certificate_bound_access_tokens) {
    const { dpop_bound_access_tokens: dpop, tls_client_certificate_bound_access_tokens: tls } = changes
    if (dpop && tls) throw wrong('tls_client_certificate_bound_access_tokens')
    merged.dpop_bound_access_tokens = !tls
    merged.tls_client_certificate_bound_access_tokens = !!tls
  }
  return merged
}

/**
 * Throws when the server does not accept the certificates that the settings need, when `tls_client_auth` has no name of the
 * certificate (RFC 8705 §2.1.2), or when no key of `self_signed_tls_client_auth` has its own certificate (RFC 8705 §2.2.2).
 */
export function validateCertificates({ mtls }: Pick<Config, 'mtls'>, next: Settings): void {
  const { token_endpoint_auth_method: method, jwks } = next
  if (needsCertificates(next) && !mtls) {
    throw notAccepted(isTlsMethod(method) ? 'token_endpoint_auth_method' : 'tls_client_certificate_bound_access_tokens')
  }
  if (method === 'tls_client_auth') {
    if (!mtls?.verified_header) throw notAccepted('token_endpoint_auth_method')
    if (!TLS_SUBJECTS.some((name) => next[name])) {
      throw problem('invalid_request', { fields: { tls_client_auth_subject_dn: 'required' } })
    }
  }
  if (method === 'self_signed_tls_client_auth' && jwks) {
    const withCertificate = jwks.keys.filter((key) => key.x5c !== undefined)
    if (withCertificate.length === 0) throw problem('keys_required', { fields: { jwks: 'required' } })
    if (!withCertificate.every(hasOwnCertificate)) throw problem('invalid_request', { fields: { jwks: 'invalid' } })
  }
}

/** Whether the first certificate of `x5c` is readable and of this key (RFC 7517 §4.7). */
function hasOwnCertificate(key: Key): boolean {
  const [first] = Array.isArray(key.x5c) ? key.x5c : []
  if (typeof first !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(first)) return false
  const certificate = parseCertificate(Buffer.from(first, 'base64'))
  return certificate !== undefined && isCertificateOf(certificate, key)
}

function wrong(field: string) {
  return problem('invalid_request', { fields: { [field]: 'wrong' } })
}

function notAccepted(field: string) {
  return problem('certificates_not_accepted', { fields: { [field]: 'wrong' } })
}

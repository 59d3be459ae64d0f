import { createPublicKey, type JsonWebKeyInput, X509Certificate } from 'node:crypto'

/** Parses a certificate in PEM or DER; undefined when it is not a certificate. */
export function parseCertificate(encoded: string | Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(encoded)
  } catch {
    return undefined
  }
}

/** SHA-256 of the certificate in DER, base64url: `x5t#S256` (RFC 7515 §4.1.8). */
export function thumbprintOf(certificate: X509Certificate): string {
  return Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url')
}

/** Whether the certificate is of this public key; false when the key is malformed. */
export function isCertificateOf(certificate: X509Certificate, jwk: object): boolean {
  try {
    return certificate.publicKey.equals(createPublicKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' }))
  } catch {
    return false
  }
}

import type { X509Certificate } from 'node:crypto'
import type { TlsSubject } from '@vrata/contract/client-certificates'
import { isSameName, parseDistinguishedName } from '@vrata/contract/distinguished-name'

/** Maximum length of a compared subject in characters; longer ones are not names. */
const SUBJECT_MAX = 2000
const HOST_CHECK = { subject: 'never', wildcards: false } as const
const URI = /(?:^|, )URI:("(?:[^"\\]|\\.)*"|[^",]*)/g

/** Whether the certificate has the name that the client has registered (RFC 8705 §2.1.2). */
export function hasSubject(certificate: X509Certificate, property: TlsSubject, expected: string): boolean {
  switch (property) {
    case 'tls_client_auth_subject_dn':
      return hasDistinguishedName(certificate, expected)
    case 'tls_client_auth_san_dns':
      // A leading dot would match every name below it.
      return !expected.startsWith('.') && certificate.checkHost(expected, HOST_CHECK) !== undefined
    case 'tls_client_auth_san_ip':
      return certificate.checkIP(expected) !== undefined
    case 'tls_client_auth_san_email':
      return certificate.checkEmail(expected, { subject: 'never' }) !== undefined
    case 'tls_client_auth_san_uri':
      return urisOf(certificate).includes(expected)
  }
}

/** Node lists the subject from the root, one relative name a line; RFC 4514 starts with the last one. */
function hasDistinguishedName({ subject }: X509Certificate, expected: string): boolean {
  if (!subject || subject.length > SUBJECT_MAX) return false
  const own = parseDistinguishedName(subject.split('\n').reverse().join(','))
  const registered = parseDistinguishedName(expected)
  return own !== undefined && registered !== undefined && isSameName(own, registered)
}

/** Node writes a value with special characters as a JSON string. */
function urisOf({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(URI)].map(([, value = '']) => (value.startsWith('"') ? JSON.parse(value) : value))
}

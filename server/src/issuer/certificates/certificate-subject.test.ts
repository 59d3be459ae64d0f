import { X509Certificate } from 'node:crypto'
import type { TlsSubject } from '@vrata/contract/client-certificates'
import { expect, test } from 'vitest'
import { JADROLET } from '../../../test/client-authentication/certificates.ts'
import { hasSubject } from './certificate-subject.ts'

const certificate = new X509Certificate(Buffer.from(JADROLET, 'base64'))

test.each([
  // The subject as openssl prints it with `-nameopt RFC2253`, and as people write it.
  ['tls_client_auth_subject_dn', 'CN=Jadrolet,UID=7+OU=apps,O=\\C4\\8Coln\\, d.o.o.,C=SI'],
  ['tls_client_auth_subject_dn', 'cn = Jadrolet, ou=apps + uid=7, O=Čoln\\2C d.o.o., C=SI'],
  ['tls_client_auth_subject_dn', '2.5.4.3=#0c084a6164726f6c6574,OU=apps+UID=7,O=Čoln\\, d.o.o.,C=SI'],
  ['tls_client_auth_san_dns', 'app.jadrolet.example'],
  ['tls_client_auth_san_uri', 'https://jadrolet.example/app?a=1'],
  ['tls_client_auth_san_ip', '2001:db8:0::7'],
  ['tls_client_auth_san_email', 'app@jadrolet.example'],
] as const)('the certificate has the %s %s', (property: TlsSubject, name) => {
  expect(hasSubject(certificate, property, name)).toBe(true)
})

test.each([
  ['tls_client_auth_subject_dn', 'CN=Jadrolet'],
  ['tls_client_auth_subject_dn', 'C=SI,O=Čoln\\, d.o.o.,OU=apps+UID=7,CN=Jadrolet'],
  ['tls_client_auth_subject_dn', 'CN=Jadrolet,OU=apps,UID=7,O=Čoln\\, d.o.o.,C=SI'],
  ['tls_client_auth_subject_dn', 'CN=jadrolet,OU=apps+UID=7,O=Čoln\\, d.o.o.,C=SI'],
  ['tls_client_auth_subject_dn', 'not a name'],
  // The common name is not a DNS name, and there are no wildcards.
  ['tls_client_auth_san_dns', 'Jadrolet'],
  ['tls_client_auth_san_dns', '.jadrolet.example'],
  ['tls_client_auth_san_dns', '*.jadrolet.example'],
  ['tls_client_auth_san_uri', 'https://jadrolet.example/app'],
  ['tls_client_auth_san_ip', '192.0.2.9'],
  ['tls_client_auth_san_email', 'other@jadrolet.example'],
] as const)('the certificate does not have the %s %s', (property: TlsSubject, name) => {
  expect(hasSubject(certificate, property, name)).toBe(false)
})

// Certificates without their private keys: a server behind a proxy sees no others. The proxies' own test makes its
// certificates (test/proxies).

/** DER in base64. */
type Der = string

/**
 * Issued by an authority, with the subject `CN=Jadrolet,OU=apps+UID=7,O=Čoln\, d.o.o.,C=SI` and the names
 * `app.jadrolet.example`, `https://jadrolet.example/app?a=1`, `2001:db8::7` and `app@jadrolet.example`.
 */
export const JADROLET: Der =
  'MIICHDCCAcOgAwIBAgIUG3yaeuR2flz5aupo5EemSv0y8UQwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjIyMjQ2Mzha' +
  'GA8yMTI2MTAyOTIyNDYzOFowWDELMAkGA1UEBhMCU0kxFjAUBgNVBAoMDcSMb2xuLCBkLm8uby4xHjALBgNVBAsMBGFwcHMwDwYKCZImiZPyLGQB' +
  'AQwBNzERMA8GA1UEAwwISmFkcm9sZXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASxBag03+e3D7Ndhkj+IihGIJAqVfOC4bp37SNF+8UPLqsD' +
  '+4pdQb8H9dmYJFpww+321CMD7vKQrjf+1+oHYmPVo4GuMIGrMGkGA1UdEQRiMGCCFGFwcC5qYWRyb2xldC5leGFtcGxlhiBodHRwczovL2phZHJv' +
  'bGV0LmV4YW1wbGUvYXBwP2E9MYcQIAENuAAAAAAAAAAAAAAAB4EUYXBwQGphZHJvbGV0LmV4YW1wbGUwHQYDVR0OBBYEFEf0EozEB4BHZB/3LRK0' +
  '/Q42b1W3MB8GA1UdIwQYMBaAFDRQL5DOww5cIqKr76gViIOOu8QlMAoGCCqGSM49BAMCA0cAMEQCIErgd0HRS7DKURX3vk7eh9pzZjUoYQX4KXov' +
  'ki7s4L9zAiAoGNH863zCzU5N8y+51fMcEtadWi3JN9nh0u0YMNyUmg=='

/** Issued by the same authority to another app, with other names. */
export const OTHER: Der =
  'MIIB+jCCAaGgAwIBAgIUG3yaeuR2flz5aupo5EemSv0y8UUwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjIyMjQ2Mzla' +
  'GA8yMTI2MTAyOTIyNDYzOVowVTELMAkGA1UEBhMCU0kxFjAUBgNVBAoMDcSMb2xuLCBkLm8uby4xHjALBgNVBAsMBGFwcHMwDwYKCZImiZPyLGQB' +
  'AQwBNzEOMAwGA1UEAwwFT3RoZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS7n+p7QA2Ij2L2TqWGO7u+fvpd3BSTNoRVuwxtUJ6hEA1BHleF' +
  '23r5E58kL0/wIgHw0BRgJv6GLuR7H9L4mjUdo4GPMIGMMEoGA1UdEQRDMEGCFm90aGVyLmphZHJvbGV0LmV4YW1wbGWGCXVybjpvdGhlcocEwAAC' +
  'CYEWb3RoZXJAamFkcm9sZXQuZXhhbXBsZTAdBgNVHQ4EFgQUwZUmdUgQWV0j+pOYzTtTp1H7Vl4wHwYDVR0jBBgwFoAUNFAvkM7DDlwioqvvqBWI' +
  'g467xCUwCgYIKoZIzj0EAwIDRwAwRAIgW4ZDXi38dxr0+//7vLQAMFC6pJ9n2SM+gYfi8CrPOiACIHWa0t4wvCFREZIgomJIChtnJpaOePrCJcgy' +
  'RC+2MKOV'

/** Self-signed. */
export const SELF_SIGNED: Der =
  'MIIBijCCATGgAwIBAgIUGzZHFuPbV5ygPgknYMziKdUOueEwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPb3duIGNlcnRpZmljYXRlMCAXDTI2MTEy' +
  'MjIyNDYzOVoYDzIxMjYxMDI5MjI0NjM5WjAaMRgwFgYDVQQDDA9vd24gY2VydGlmaWNhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASk00yJ' +
  '0nZ8qPsBQ/RXVANoS4Faxh6kkkzZtpEzpk7K6B7cAmB7OU+542L/OoCF67ZQFsncgNV4MauF0Lg1P/cDo1MwUTAdBgNVHQ4EFgQUGo8JmPVxXj1S' +
  'MWxNFYJgTnnNOFMwHwYDVR0jBBgwFoAUGo8JmPVxXj1SMWxNFYJgTnnNOFMwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAX3WXW' +
  'ZDZDhlOtWM42S677lYbWeXmSCtInsBY3zUCiJAIgULbB9ixIaEVyGTXxvTdom/B2xCqdjaxfM4p87XVYgSI='

/** As nginx passes it on in `$ssl_client_escaped_cert`. */
export function escapedPem(der: Der): string {
  const lines = der.match(/.{1,64}/g)?.join('\n')
  return encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`)
}

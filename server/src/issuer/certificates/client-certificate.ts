import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { CertificateFormat, Config } from '../../config/config.ts'
import { trustedProxies } from '../../http/client-ip.ts'
import { parseCertificate } from '../../lib/certificates.ts'

/** The certificate of the TLS connection of a client, as the proxy passes it on (RFC 8705 §6.5). */
export interface ClientCertificate {
  certificate: X509Certificate
  /** Whether the proxy says that an authority which it trusts has issued the certificate. */
  verified: boolean
}

/** Value of the header of the proxy when the certificate is verified, as nginx sends it. */
const VERIFIED = 'SUCCESS'

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const PEM = /^-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/

/**
 * Returns a function that reads the certificate of a request. The header counts only from a trusted proxy and only once:
 * a second one comes from the client of a proxy that does not replace it.
 */
export function certificateReader({
  mtls,
  trust_proxy,
}: Pick<Config, 'mtls' | 'trust_proxy'>): (request: FastifyRequest) => ClientCertificate | undefined {
  if (!mtls) return () => undefined
  const isTrusted = trustedProxies(trust_proxy)
  return ({ raw, log }) => {
    const { remoteAddress } = raw.socket
    const given = valuesOf(raw, mtls.header)
    // Proxies send the header empty, or with nothing between the colons, where there is no certificate.
    if (!remoteAddress || !isTrusted(remoteAddress, 0) || given.every((value) => value === '' || value === '::')) return
    const bytes = given.length === 1 ? decode(given[0] as string, mtls.format) : undefined
    const certificate = bytes && parseCertificate(bytes)
    if (!certificate) {
      log.warn({ header: mtls.header, format: mtls.format, times: given.length }, 'client certificate not readable')
      return
    }
    const verdicts = mtls.verified_header ? valuesOf(raw, mtls.verified_header) : []
    return { certificate, verified: verdicts.length === 1 && verdicts[0] === VERIFIED }
  }
}

function valuesOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

function decode(value: string, format: CertificateFormat): string | Buffer | undefined {
  if (format === 'pem') {
    if (/%(?![\da-f]{2})/i.test(value)) return undefined
    const pem = Buffer.from(
      value.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    )
    return PEM.test(pem.toString('latin1')) ? pem : undefined
  }
  const base64 = format === 'der' ? value : /^:(.*):$/.exec(value)?.[1]
  return base64 && BASE64.test(base64) ? Buffer.from(base64, 'base64') : undefined
}

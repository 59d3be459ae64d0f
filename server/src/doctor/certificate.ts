import { connect } from 'node:tls'
import { errorMessage } from '../lib/error-message.ts'

/** Milliseconds for connection and handshake. */
const TIMEOUT = 5000
const DAY = 24 * 60 * 60 * 1000

/** Days before its end from which a certificate counts as expiring; renewals of ACME happen earlier. */
const EXPIRING = 14

/**
 * Connects to an https origin and describes its certificate. Throws when the certificate is not valid for this machine, or
 * ends soon.
 */
export async function describeCertificate(origin: string): Promise<string> {
  const { hostname, port, host } = new URL(origin)
  const valid_to = await endOf(hostname.replace(/^\[|\]$/g, ''), Number(port || 443)).catch((cause: Error) => {
    throw new Error(`${host}: ${sentenceOf(cause)}`, { cause })
  })
  const days = Math.floor((valid_to.getTime() - Date.now()) / DAY)
  const sentence = `${host}: valid until ${valid_to.toISOString().slice(0, 10)}`
  if (days < EXPIRING) throw new Error(`${sentence}, ${days} more days; renew it`)
  return sentence
}

/** Codes of OpenSSL for a chain that does not end at an authority that Node.js knows. */
const UNKNOWN_AUTHORITY = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/

/** Why a connection has failed, and what to do about it. */
export function sentenceOf(error: Error & { code?: string }): string {
  const { code = '' } = error
  const message = errorMessage(error)
  if (code === 'ENOTFOUND') return `${message}; see VRATA_URL and the name in DNS`
  if (code === 'ECONNREFUSED') return `${message}; nothing listens there`
  if (UNKNOWN_AUTHORITY.test(code))
    return 'the authority of the certificate is not known here; send the certificates between them, too, or name the file of a private authority in NODE_EXTRA_CA_CERTS'
  return message
}

function endOf(host: string, port: number): Promise<Date> {
  return new Promise((resolve, reject) => {
    // An IP address is not a valid server name (RFC 6066 §3).
    const socket = connect({ host, port, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) })
    socket.setTimeout(TIMEOUT, () => socket.destroy(new Error(`no answer within ${TIMEOUT / 1000} seconds`)))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      socket.end()
      resolve(new Date(valid_to))
    })
  })
}

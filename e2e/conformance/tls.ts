import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

/** Paths of a certificate in PEM and its private key. */
export type Certificate = { cert: string; key: string }

/** Cipher suites of TLS 1.2 that FAPI 2.0 allows (FAPI 2.0 Security Profile §5.2.2, BCP 195) for an RSA key. */
const CIPHERS = ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384']

/** Creates a self-signed certificate, for the names of this machine unless told otherwise, with the command `openssl`. */
export async function createCertificate(folder: string, name = 'localhost'): Promise<Certificate> {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-out', cert, '-keyout', key]
  await promisify(execFile)('openssl', ['req', ...made, ...subject])
  return { cert, key }
}

export type ProxyOptions = {
  certificate: Certificate
  /** Port for https on the loopback address. */
  port: number
  /** Port of the http server. */
  target: number
  /** Headers for the server, from the connection of the browser. */
  headers?: (socket: TLSSocket) => Record<string, string>
  /** Whether clients are asked for a certificate, of any issuer. */
  asksForCertificate?: boolean
}

/** Starts a proxy that terminates TLS in front of a server on this machine. */
export async function startTlsProxy(options: ProxyOptions): Promise<Server> {
  const { certificate, port, target, headers, asksForCertificate = false } = options
  // A kept connection may have been closed by the server when the next request is sent.
  const agent = new Agent({ keepAlive: false })
  const [cert, key] = await Promise.all([readFile(certificate.cert), readFile(certificate.key)])
  const tls = { cert, key, minVersion: 'TLSv1.2', ciphers: ciphers(), honorCipherOrder: true } as const
  const server = createServer(
    { ...tls, requestCert: asksForCertificate, rejectUnauthorized: false, maxHeaderSize: 65_536 },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const socket = incoming.socket as TLSSocket
      const { method, url: path, headers: received } = incoming
      const forwarded = {
        ...received,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': received.host ?? '',
        'x-forwarded-port': String(port),
        ...headers?.(socket),
      }
      const forwardedRequest = request(
        { host: '127.0.0.1', port: target, method, path, agent, headers: forwarded },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
          answer.pipe(outgoing)
        },
      )
      forwardedRequest.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
      outgoing.on('close', () => forwardedRequest.destroy())
      incoming.pipe(forwardedRequest)
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return server
}

function ciphers(): string {
  return ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256', ...CIPHERS].join(':')
}

/** The certificate of a client as URL-encoded PEM; empty without one. */
export function escapedPemOf(socket: TLSSocket): string {
  const certificate = socket.getPeerX509Certificate()
  return certificate ? encodeURIComponent(certificate.toString()) : ''
}

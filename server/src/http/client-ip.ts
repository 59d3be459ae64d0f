import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { system } from '@vrata/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { proxiesIn } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Cached result of `ipOf`. */
    known_ip?: string
  }
}

/**
 * Declares the property in which `ipOf` keeps the address, so that all requests have one shape, and asks for the address of each connection
 * while it is open: Node.js remembers it, and does not know it when it is first asked after the client has disconnected.
 */
export function rememberClientIp(app: FastifyInstance): void {
  app.decorateRequest('known_ip')
  app.server.on('connection', (socket) => void socket.remoteAddress)
}

/**
 * IP address of the client; that of the proxy where `X-Forwarded-For` has no valid address. It can be any text where every address is trusted, and
 * appears in mails. Behind a proxy Fastify parses the headers each time it is asked for it, which takes two percent of a short request.
 */
export function ipOf(request: FastifyRequest): string {
  request.known_ip ??= addressOf(request)
  return request.known_ip
}

function addressOf({ ip, raw }: FastifyRequest): string {
  const address = withoutPort(ip)
  return isIP(address) === 0 ? (raw.socket.remoteAddress ?? '') : address
}

/** An IPv4 address or an IPv6 address in brackets, with a port. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i

/**
 * The address of an entry of `X-Forwarded-For`, which may have a port as in RFC 7239 §6; Azure Application Gateway sends it. What is no
 * address stays as it is.
 */
export function withoutPort(entry: string): string {
  if (isIP(entry) !== 0) return entry
  const [, v4 = '', v6 = ''] = WITH_PORT.exec(entry) ?? []
  return isIP(v4) === 4 ? v4 : isIP(v6) === 6 ? v6 : entry
}

/** The address as found, even if invalid, and the connection and headers from which it was read. */
export function arrivalOf(request: FastifyRequest): system.Arrival {
  const { headers, raw } = request
  // Two headers of one name are one list (RFC 9110 §5.2); Node.js joins them.
  const sent = (name: string) => headers[name]?.toString() ?? null
  return {
    address: withoutPort(request.ip),
    peer: { address: raw.socket.remoteAddress ?? '', port: raw.socket.remotePort ?? 0 },
    forwarded_for: sent('x-forwarded-for'),
    forwarded_proto: sent('x-forwarded-proto'),
  }
}

/** Entries whose trust is remembered, and the longest text of one. What a client sends in the place of an address may be longer. */
const REMEMBERED = { max: 1000, length: 45 }

/**
 * Whether an address is a trusted proxy, with the same rules as Fastify, but also with a port. Remembered for each: parsing that of the proxy
 * and that of the client takes two percent of a short request.
 */
export function trustedProxies(trusted: Config['trust_proxy']): (address: string, hop: number) => boolean {
  if (typeof trusted !== 'string') return () => trusted
  const isTrusted = proxyAddr.compile(proxiesIn(trusted))
  const known = new LRUCache<string, boolean>({ max: REMEMBERED.max })
  return (address, hop) => {
    const remembered = known.get(address)
    if (remembered !== undefined) return remembered
    const found = isTrusted(withoutPort(address), hop)
    if (address.length <= REMEMBERED.length) known.set(address, found)
    return found
  }
}

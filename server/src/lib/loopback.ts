import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { isLoopbackHostname } from '@vrata/contract/loopback'

const ADDRESSES = new BlockList()
ADDRESSES.addSubnet('127.0.0.0', 8, 'ipv4')
ADDRESSES.addAddress('::1', 'ipv6')

/** Whether an IP address is a loopback address (127.0.0.0/8 or ::1, RFC 6890); IPv4-mapped addresses, too. */
export function isLoopbackAddress(ip: string): boolean {
  const family = isIP(ip)
  return family !== 0 && ADDRESSES.check(ip, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether a host, as in `URL.hostname`, is `localhost` or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}

/** Whether a URL leads to this machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}

/**
 * Whether a request comes from this machine: directly, not through a proxy, and to a loopback name, so that a page of
 * another site cannot send it by resolving its own name to a loopback address (DNS rebinding).
 */
export function isLoopbackRequest({
  headers,
  raw,
}: {
  headers: IncomingMessage['headers']
  raw: IncomingMessage
}): boolean {
  if (headers['x-forwarded-for'] || headers.forwarded) return false
  const host = headers.host?.replace(/:\d+$/, '') ?? ''
  return isLoopbackAddress(raw.socket.remoteAddress ?? '') && isLoopbackHostname(host)
}

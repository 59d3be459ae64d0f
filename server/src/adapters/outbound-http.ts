import { lookup as resolve } from 'node:dns/promises'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress } from '../lib/loopback.ts'

/**
 * HTTP requests to URLs chosen by clients (keys, back-channel logout). To prevent server-side request forgery (security
 * §1.3.6, §15.3.2), every resolved address is checked and the connection uses exactly the checked address. Redirects
 * are not followed.
 */
export interface Outbound {
  send(url: string, options?: OutboundOptions): Promise<OutboundAnswer>
}

export interface OutboundOptions {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Maximum bytes of the response; longer ones are rejected. */
  bytes?: number
  /** Milliseconds for the whole request. */
  timeout?: number
  /** Resolves with the status and an empty body; what else the server sends makes no difference. */
  statusOnly?: boolean
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A URL that must not be requested, or an invalid response. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused'
}

const BYTES = 64 * 1024
const TIMEOUT = 5000

/** `loopback`: whether loopback addresses are allowed, because this installation itself is on loopback. */
export function outbound({ loopback }: { loopback: boolean }): Outbound {
  return {
    async send(address, options = {}) {
      const { method = 'GET', headers = {}, body, bytes = BYTES, timeout = TIMEOUT, statusOnly = false } = options
      const url = new URL(address)
      if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundRefused('not a web address')
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const allowed = (ip: string) => isAllowed(ip, { loopback, secure: url.protocol === 'https:' })
      if (isIP(host) && !allowed(host)) throw new OutboundRefused('not a public address')
      const lookup: LookupFunction = (name, options, done) => {
        resolve(name, { all: true, verbatim: true }).then(
          (found) => {
            const [first] = found
            if (!first || !found.every((one) => allowed(one.address))) {
              return done(new OutboundRefused('not a public address'), '', 0)
            }
            if (options.all) done(null, found)
            else done(null, first.address, first.family)
          },
          (error) => done(error, '', 0),
        )
      }
      const send = url.protocol === 'https:' ? secure : plain
      return await new Promise<OutboundAnswer>((answer, fail) => {
        const signal = AbortSignal.timeout(timeout)
        signal.addEventListener('abort', () => fail(signal.reason), { once: true })
        const asked = send(url, { method, headers, lookup, signal, agent: false }, (response) => {
          const status = response.statusCode ?? 0
          // The rest is read within the same limits, without waiting for it.
          if (statusOnly) answer({ status, headers: response.headers, body: Buffer.alloc(0) })
          const chunks: Buffer[] = []
          let read = 0
          response.on('data', (chunk: Buffer) => {
            read += chunk.length
            if (read > bytes) response.destroy(new OutboundRefused('the answer is too long'))
            else chunks.push(chunk)
          })
          response.on('error', fail)
          response.on('end', () => answer({ status, headers: response.headers, body: Buffer.concat(chunks) }))
        })
        asked.on('error', fail)
        // Otherwise neither response nor error would be emitted, and the caller would wait forever.
        asked.on('upgrade', (_, connection) => {
          connection.destroy()
          fail(new OutboundRefused('not an answer'))
        })
        asked.end(body)
      })
    },
  }
}

/** Special-purpose addresses (IANA registries of RFC 6890). */
const SPECIAL = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv4')
}
/** Global unicast (RFC 4291 §2.4) without ranges that embed other addresses or are reserved for documentation. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  SPECIAL.addSubnet(network, bits, 'ipv6')
}

function isAllowed(ip: string, { loopback, secure }: { loopback: boolean; secure: boolean }): boolean {
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4'
  if (isLoopbackAddress(ip)) return loopback
  if (!secure || SPECIAL.check(ip, family)) return false
  return family === 'ipv4' || GLOBAL.check(ip, family)
}

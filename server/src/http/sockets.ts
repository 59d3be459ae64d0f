import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { SocketAuthentication, SocketOptions, Sockets } from '../adapters/realtime/socket-io.ts'
import type { Config } from '../config/config.ts'
import { hashToken } from '../lib/ids.ts'
import type { SessionReads } from './actors.ts'
import { trustedProxies, withoutPort } from './client-ip.ts'
import { CookieJar } from './cookies.ts'
import { addressKey, limitSockets } from './guards/rate-limit.ts'

/** Concurrent sockets per session, browser and address. Each tab opens one; an office shares an address, for which `VRATA_LIMITS_FACTOR` multiplies. */
const MOST = { session: 30, browser: 10, address: 400 }

/** Reads that the authentication of sockets needs. */
export interface SocketReads extends Pick<SocketAuthentication, 'live' | 'developers'> {
  session: SessionReads['session']
  /** Whether the browser with this cookie hash shows a QR code that can still be approved. */
  waits(browser_hash: string): Promise<boolean>
}

export type SocketDeps = { config: Config; reads: SocketReads } & Pick<SocketOptions, 'signals' | 'log'>

/** Mounts Socket.IO at `/socket.io` (product §7), which is loaded with the first socket. Sockets are closed before the server. */
export function mountSockets(app: FastifyInstance, deps: SocketDeps): Pick<Sockets, 'count'> {
  const { reads } = deps
  let opened: Sockets | undefined
  let closed = false
  const open = async () => {
    const { openSockets } = await import('../adapters/realtime/socket-io.ts')
    if (closed) return undefined
    return (opened ??= openSockets({ ...deps, authentication: { ...reads, authenticate: socketAuthentication(deps) } }))
  }
  app.server.on('upgrade', async (request, connection, head) => {
    // Without a listener, an error of the connection would end the process.
    connection.on('error', () => connection.destroy())
    const sockets = await open().catch((err: unknown) => {
      deps.log.error({ err }, 'sockets')
      return undefined
    })
    if (sockets) await sockets.upgrade(request, connection, head)
    else connection.destroy()
  })
  app.addHook('preClose', async () => {
    closed = true
    opened?.close()
  })
  return { count: () => opened?.count() ?? 0 }
}

/**
 * Whether a request opens a WebSocket. An offer of another protocol is ignored (RFC 9110 §7.8): the HTTP client of Java
 * offers HTTP/2 with every request over http.
 */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Authenticates sockets like calls (security §4.4.1): own origin, access cookie, live session. A browser without a session
 * gets a socket only while it shows a QR code; a sign-in that waits for its second factor is treated the same.
 */
function socketAuthentication({ config, reads }: SocketDeps): SocketAuthentication['authenticate'] {
  const mayOpen = limitSockets(config.limits_factor)
  const mostOfAddress = Math.ceil(MOST.address * config.limits_factor)
  const addressOf = addressReader(config.trust_proxy)

  return async (request) => {
    const { origin } = request.headers
    if (origin === undefined || !config.web_origins.includes(origin)) return 403
    const address = addressKey(addressOf(request))
    if (!mayOpen(address)) return 429

    const cookies = new CookieJar(config, request.headers.cookie)
    const access = cookies.read('access')
    const shows = cookies.read('qr')
    const browser = shows && hashToken(shows)
    const found = access ? await reads.session(access) : undefined
    const counted = [{ by: `address ${address}`, most: mostOfAddress }]
    if (found) {
      const { user_id, session_id } = found
      counted.push({ by: `session ${session_id}`, most: MOST.session })
      return { person: { user_id, session_id }, ...(browser && { browser }), counted }
    }
    if (cookies.read('session')) return 'expired'
    if (!browser || !(await reads.waits(browser))) return 401
    counted.push({ by: `browser ${browser}`, most: MOST.browser })
    return { browser, counted }
  }
}

/** Reads the client address, with the same trusted proxies as Fastify. */
function addressReader(trusted: Config['trust_proxy']): (request: IncomingMessage) => string {
  const trust = trustedProxies(trusted)
  return (request) => withoutPort(proxyAddr(request, trust))
}

import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { hashToken } from '../ports/ids.ts'
import { type Doorkeeper, openSockets, type SocketOptions, type Sockets } from '../ports/realtime/socket-io.ts'
import type { SessionReads } from './actors.ts'
import { holder, limitSockets } from './rate-limit.ts'
import { CookieJar } from './session-cookie.ts'

/** How many sockets may be open at once. A socket is a tab; an office shares an address. */
const MOST = { session: 30, browser: 10, address: 400 }

/** What the fence of sockets asks of the house. */
export interface SocketReads extends Pick<Doorkeeper, 'live' | 'developers'> {
  session: SessionReads['session']
  /** Whether a browser, by the hash of its cookie, shows a QR code that can still be approved. */
  waits(browser_hash: string): Promise<boolean>
}

export type SocketHouse = { config: Config; reads: SocketReads } & Pick<SocketOptions, 'signals' | 'log'>

/** Realtime sockets at `/socket.io` (specification §7), each behind the fence below. They end before the server does. */
export function mountSockets(app: FastifyInstance, house: SocketHouse): Sockets {
  const { reads } = house
  const sockets = openSockets({ ...house, doorkeeper: { ...reads, admit: socketFence(house) } })
  app.server.on('upgrade', (request, connection, head) => void sockets.upgrade(request, connection, head))
  app.addHook('preClose', async () => sockets.close())
  return sockets
}

/**
 * Who may hold a socket: a page of ours, with the same cookies and the same reads as the fence of calls (security.md
 * 4.4.1). A visitor gets one only while this browser shows a QR code. A sign-in that still owes its second factor is a
 * visitor like any other.
 */
function socketFence({ config, reads }: SocketHouse): Doorkeeper['admit'] {
  const mayOpen = limitSockets()
  const addressOf = addressReader(config.trust_proxy)

  return async (request) => {
    const { origin } = request.headers
    if (origin === undefined || !config.web_origins.includes(origin)) return 403
    const address = holder(addressOf(request))
    if (!(await mayOpen(address))) return 429

    const cookies = new CookieJar(config, request.headers.cookie)
    const access = cookies.read('access')
    const shows = cookies.read('qr')
    const browser = shows && hashToken(shows)
    const found = access ? await reads.session(access) : undefined
    const counted = [{ by: `address ${address}`, most: MOST.address }]
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

/** The address of whoever asks, believing the same proxies as the framework does for requests. */
function addressReader(trusted: Config['trust_proxy']): (request: IncomingMessage) => string {
  const trust =
    typeof trusted === 'string' ? proxyAddr.compile(trusted.split(',').map((one) => one.trim())) : () => trusted
  return (request) => proxyAddr(request, trust)
}

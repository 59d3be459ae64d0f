import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ClientEvents, type ServerEvents, SOCKET_PATH } from '@vrata/contract'
import { Server as Engine, type Socket as EngineSocket } from 'engine.io'
import { Server, type Socket } from 'socket.io'
import type { Store } from '../../db/open.ts'
import { REALTIME_CHANNEL, type RealtimeMessage, type Room } from './realtime.ts'

/** An accepted socket. */
export interface AuthenticatedSocket {
  /** The signed-in user; undefined for a browser that shows a QR code. */
  person?: { user_id: string; session_id: string }
  /** SHA-256 of the QR cookie; the socket receives events of QR codes shown by this browser. */
  browser?: string
  /** Limits of concurrent sockets by key. */
  counted: readonly { by: string; most: number }[]
}

/** Authentication and authorization of sockets. */
export interface SocketAuthentication {
  /** Authenticates a handshake: an HTTP status rejects it; `expired` asks the page to renew the session. */
  authenticate(request: IncomingMessage): Promise<AuthenticatedSocket | 'expired' | 401 | 403 | 429>
  /** The given sessions that are live. */
  live(session_ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Developer accounts of a user. */
  developers(user_id: string): Promise<readonly string[]>
}

export type SocketOptions = {
  authentication: SocketAuthentication
  signals: Store['signals']
  log: { error(fields: object, message: string): void }
  /** Seconds between checks that the sessions of open sockets are live, for ends without an event. */
  checkInterval?: number
  /** Maximum seconds of a socket without a session. */
  anonymousLifetime?: number
}

export interface Sockets {
  /** Handles an upgrade request. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void>
  count(): number
  close(): void
}

type Person = NonNullable<AuthenticatedSocket['person']>
type OurSocket = Socket<ClientEvents, ServerEvents, Record<never, never>, { person?: Person }>

/** Maximum bytes of a frame: pages only connect and answer pings. */
const MOST_BYTES = 2048
/** Packets that a socket may send in an interval. */
const FLOOD = { packets: 30, milliseconds: 10_000 }
const CONNECT_TIMEOUT_MS = 5000
const CLOSE_TIMEOUT_MS = 500
const CHECK_INTERVAL = 30
const ANONYMOUS_LIFETIME = 15 * 60
/** Sessions per query. */
const STRIDE = 200

/** The Socket.IO server of this node, over WebSocket only: without polling it answers no HTTP requests. */
export function openSockets({
  authentication,
  signals,
  log,
  checkInterval = CHECK_INTERVAL,
  anonymousLifetime = ANONYMOUS_LIFETIME,
}: SocketOptions): Sockets {
  const engine = new Engine({
    transports: ['websocket'],
    allowUpgrades: false,
    maxHttpBufferSize: MOST_BYTES,
    perMessageDeflate: false,
    httpCompression: false,
  })
  const io = new Server<ClientEvents, ServerEvents, Record<never, never>, { person?: Person }>({
    connectTimeout: CONNECT_TIMEOUT_MS,
    serveClient: false,
  })
  const open = new Map<string, number>()
  const accepted = new WeakMap<IncomingMessage, AuthenticatedSocket | 'expired'>()
  /** Sockets that are not connected before their organizations have been read, by id. */
  const joining = new Map<string, OurSocket>()
  /** How often the organizations of a socket have been read. */
  const reads = new WeakMap<OurSocket, number>()

  engine.on('connection', (connection: EngineSocket) => {
    limitPackets(connection)
    destroyAfterClose(connection)
  })
  io.bind(engine)
  io.use((socket, next) => {
    const result = accepted.get(socket.request)
    if (result && result !== 'expired') {
      joining.set(socket.id, socket)
      socket.conn.on('close', () => joining.delete(socket.id))
      join(socket, result).then(() => next(), next)
      return
    }
    // The error code of the API; the page renews its session and connects again.
    next(Object.assign(new Error('unauthenticated'), { data: { code: 'unauthenticated' } }))
    setTimeout(() => socket.conn.close(), 1000).unref()
  })
  io.on('connection', (socket) => {
    joining.delete(socket.id)
    // Releases the cookies and buffers of the handshake request.
    Object.assign(socket.conn, { request: null })
    socket.onAny(() => socket.disconnect(true))
    if (socket.data.person) closeEnded([socket.data.person.session_id]).catch(failed)
  })

  async function join(socket: OurSocket, { person, browser }: AuthenticatedSocket): Promise<void> {
    if (browser) await socket.join(`browser:${browser}` satisfies Room)
    if (!person) {
      const end = setTimeout(() => socket.disconnect(true), anonymousLifetime * 1000)
      socket.on('disconnect', () => clearTimeout(end))
      return
    }
    socket.data.person = person
    await socket.join([`user:${person.user_id}`, `session:${person.session_id}`] satisfies Room[])
    await rejoin(socket)
  }

  /** Closes sockets of ended sessions, for example of one that ended while its socket joined its rooms. */
  async function closeEnded(session_ids: readonly string[]): Promise<void> {
    for (let at = 0; at < session_ids.length; at += STRIDE) {
      const some = session_ids.slice(at, at + STRIDE)
      const live = await authentication.live(some)
      for (const id of some) if (!live.has(id)) end(id)
    }
  }

  function sessionsOf(sockets: readonly OurSocket[]): string[] {
    return [...new Set(sockets.flatMap(({ data }) => data.person?.session_id ?? []))]
  }

  async function rejoin(socket: OurSocket): Promise<void> {
    if (!socket.data.person) return
    const read = (reads.get(socket) ?? 0) + 1
    reads.set(socket, read)
    const now = (await authentication.developers(socket.data.person.user_id)).map((id) => `developer:${id}`)
    // When two reads run at once, the earlier one may be answered later.
    if (reads.get(socket) !== read) return
    for (const room of socket.rooms) if (room.startsWith('developer:') && !now.includes(room)) await socket.leave(room)
    await socket.join(now)
  }

  /** The database may not answer for one of them; the others concern other people. */
  async function deliver(messages: readonly RealtimeMessage[]): Promise<void> {
    for (const one of messages) await deliverOne(one).catch(failed)
  }

  async function deliverOne(one: RealtimeMessage): Promise<void> {
    if ('end' in one) for (const id of one.end) end(id)
    else if ('check' in one) await closeEnded(sessionsOf(socketsIn(one.check)))
    else if ('rejoin' in one) await Promise.all(socketsIn(one.rejoin).map(rejoinOrClose))
    else if (one.to === 'everybody') io.emit(one.event as 'branding:changed')
    else if ('what' in one) io.to(one.to).emit(one.event as 'members:changed', one.what as { developer_id: string })
    else io.to(one.to).emit(one.event)
  }

  /** A page whose organizations cannot be read connects again, and then has the right ones. */
  async function rejoinOrClose(socket: OurSocket): Promise<void> {
    await rejoin(socket).catch((error) => {
      socket.conn.close()
      failed(error)
    })
  }

  function socketsIn(room: Room): OurSocket[] {
    const ids = io.of('/').adapter.rooms.get(room) ?? []
    return [...ids].flatMap((id) => io.of('/').sockets.get(id) ?? joining.get(id) ?? [])
  }

  function end(session_id: string): void {
    const room: Room = `session:${session_id}`
    io.to(room).emit('session:ended')
    io.in(room).disconnectSockets(true)
  }

  /** Closes sockets whose session ended without an event: expired, account disabled, or its node died. */
  async function checkSessions(): Promise<void> {
    await closeEnded(sessionsOf([...io.of('/').sockets.values()]))
  }

  const failed = (err: unknown) => log.error({ err }, 'sockets')
  let delivered = Promise.resolve()
  const stopListening = signals.on(REALTIME_CHANNEL, (payload) => {
    // Signals were missed: every page reconnects after a random delay and reloads its data.
    if (payload === undefined) for (const { conn } of io.of('/').sockets.values()) conn.close()
    else delivered = delivered.then(() => deliver(JSON.parse(payload) as RealtimeMessage[])).catch(failed)
  })
  const checking = setInterval(() => void checkSessions().catch(failed), checkInterval * 1000)
  checking.unref()

  function reserve({ counted }: AuthenticatedSocket): (() => void) | undefined {
    if (counted.some(({ by, most }) => (open.get(by) ?? 0) >= most)) return undefined
    for (const { by } of counted) open.set(by, (open.get(by) ?? 0) + 1)
    return () => {
      for (const { by } of counted) {
        const left = (open.get(by) ?? 1) - 1
        if (left > 0) open.set(by, left)
        else open.delete(by)
      }
    }
  }

  return {
    async upgrade(request, connection, head) {
      const url = URL.parse(request.url ?? '', 'http://here.invalid')
      if (url?.pathname.replace(/\/$/, '') !== SOCKET_PATH) return reject(connection, 404)
      const result = await authentication.authenticate(request).catch((err) => {
        failed(err)
        return 503 as const
      })
      if (connection.destroyed) return
      if (typeof result === 'number') return reject(connection, result)
      if (result !== 'expired') {
        const release = reserve(result)
        if (!release) return reject(connection, 429)
        connection.once('close', release)
      }
      accepted.set(request, result)
      engine.handleUpgrade(request, connection, head)
    },
    count: () => io.of('/').sockets.size,
    close() {
      clearInterval(checking)
      stopListening()
      // Not `io.close()`, after which clients would not reconnect.
      engine.close()
    },
  }
}

/** Sends an HTTP error and destroys the connection, to which the timeouts of the HTTP server no longer apply. */
function reject(connection: Duplex, status: number): void {
  const answer = `HTTP/1.1 ${status} ${REASONS[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
  connection.end(answer, () => connection.destroy())
}

const REASONS: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/** Destroys the connection of a client that does not answer the close frame. */
function destroyAfterClose(connection: EngineSocket): void {
  const { socket } = connection.request
  connection.on('close', () => setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref())
}

/** Closes a socket that sends too many packets; the engine closes those with malformed or long frames. */
function limitPackets(connection: EngineSocket): void {
  let packets = 0
  let until = 0
  const count = () => {
    const now = performance.now()
    if (now > until) {
      packets = 0
      until = now + FLOOD.milliseconds
    }
    packets += 1
    if (packets > FLOOD.packets) connection.close(true)
  }
  connection.on('packet', count)
  // WebSocket pings are answered below the engine and are not counted as packets.
  const { socket } = connection.transport as { socket?: { on(name: 'ping', listener: () => void): void } }
  socket?.on('ping', count)
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ClientEvents, type ServerEvents, SOCKET_PATH } from '@vrata/contract'
import { Server as Engine, type Socket as EngineSocket } from 'engine.io'
import { Server, type Socket } from 'socket.io'
import type { Store } from '../../db/open.ts'
import { type News, REALTIME_CHANNEL, type Room } from './realtime.ts'

/** Somebody whom the door let in. */
export interface Admitted {
  /** Whose socket it is; undefined for a visitor, who follows a QR code. */
  person?: { user_id: string; session_id: string }
  /** Of this browser: it hears of the QR codes that it shows. */
  browser?: string
  /** What its sockets are counted by, and how many there may be at once. */
  counted: readonly { by: string; most: number }[]
}

/** What the driver asks the house. */
export interface Doorkeeper {
  /** Lets in, or says why not: an HTTP status, or `expired` when renewing the session may help. */
  admit(request: IncomingMessage): Promise<Admitted | 'expired' | 401 | 403 | 429>
  /** Those of these sessions that have not ended. */
  live(session_ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Organisations of a person. */
  developers(user_id: string): Promise<readonly string[]>
}

export type SocketOptions = {
  doorkeeper: Doorkeeper
  signals: Store['signals']
  log: { error(fields: object, message: string): void }
  /** Seconds between two looks at whether the sessions of open sockets still live: for ends that nobody told. */
  lookEvery?: number
  /** Seconds for which a visitor may hold a socket. */
  visit?: number
}

export interface Sockets {
  /** Takes over a connection that wants to become a socket. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void>
  count(): number
  close(): void
}

type Person = NonNullable<Admitted['person']>
type OurSocket = Socket<ClientEvents, ServerEvents, Record<never, never>, { person?: Person }>

/** Pages have nothing to say but to connect and to answer pings: anything longer is no page of ours. */
const MOST_BYTES = 2048
/** Packets that one socket may send within the time. */
const FLOOD = { packets: 30, milliseconds: 10_000 }
const CONNECT_WITHIN_MS = 5000
const GOODBYE_MS = 500
const LOOK_EVERY = 30
const VISIT = 15 * 60
/** Sessions asked for at once. */
const STRIDE = 200

/** Sockets of this node, over WebSocket alone: there is no polling, so that no HTTP request is answered here. */
export function openSockets({
  doorkeeper,
  signals,
  log,
  lookEvery = LOOK_EVERY,
  visit = VISIT,
}: SocketOptions): Sockets {
  const engine = new Engine({
    transports: ['websocket'],
    allowUpgrades: false,
    maxHttpBufferSize: MOST_BYTES,
    perMessageDeflate: false,
    httpCompression: false,
  })
  const io = new Server<ClientEvents, ServerEvents, Record<never, never>, { person?: Person }>({
    connectTimeout: CONNECT_WITHIN_MS,
    serveClient: false,
  })
  const held = new Map<string, number>()
  const admissions = new WeakMap<IncomingMessage, Admitted | 'expired'>()

  engine.on('connection', (connection: EngineSocket) => {
    boundFlood(connection)
    cutWhenClosed(connection)
  })
  io.bind(engine)
  io.use((socket, next) => {
    const admitted = admissions.get(socket.request)
    if (admitted && admitted !== 'expired') {
      admit(socket, admitted).then(() => next(), next)
      return
    }
    // The same error object as every other answer; the page renews its session and comes again.
    next(Object.assign(new Error('unauthenticated'), { data: { code: 'unauthenticated' } }))
    setTimeout(() => socket.conn.close(), 1000).unref()
  })
  io.on('connection', (socket) => {
    // The handshake's request holds cookies and buffers, for as long as the socket lives.
    Object.assign(socket.conn, { request: null })
    socket.onAny(() => socket.disconnect(true))
    if (socket.data.person) lookAt([socket.data.person.session_id]).catch(failed)
  })

  async function admit(socket: OurSocket, { person, browser }: Admitted): Promise<void> {
    if (browser) await socket.join(`browser:${browser}` satisfies Room)
    if (!person) {
      const end = setTimeout(() => socket.disconnect(true), visit * 1000)
      socket.on('disconnect', () => clearTimeout(end))
      return
    }
    socket.data.person = person
    await socket.join([`user:${person.user_id}`, `session:${person.session_id}`] satisfies Room[])
    await rejoin(socket)
  }

  /** What ended while the rooms were being entered was told to nobody here. */
  async function lookAt(session_ids: readonly string[]): Promise<void> {
    const live = await doorkeeper.live(session_ids)
    for (const id of session_ids) if (!live.has(id)) end(id)
  }

  async function rejoin(socket: OurSocket): Promise<void> {
    if (!socket.data.person) return
    const now = (await doorkeeper.developers(socket.data.person.user_id)).map((id) => `developer:${id}`)
    for (const room of socket.rooms) if (room.startsWith('developer:') && !now.includes(room)) await socket.leave(room)
    await socket.join(now)
  }

  async function deliver(news: readonly News[]): Promise<void> {
    for (const one of news) {
      if ('end' in one) for (const id of one.end) end(id)
      else if ('rejoin' in one) await Promise.all(socketsIn(one.rejoin).map(rejoin))
      else if ('what' in one) io.to(one.to).emit(one.event as 'members:changed', one.what as { developer_id: string })
      else io.to(one.to).emit(one.event)
    }
  }

  function socketsIn(room: Room): OurSocket[] {
    const ids = io.of('/').adapter.rooms.get(room) ?? []
    return [...ids].flatMap((id) => io.of('/').sockets.get(id) ?? [])
  }

  function end(session_id: string): void {
    const room: Room = `session:${session_id}`
    io.to(room).emit('session:ended')
    io.in(room).disconnectSockets(true)
  }

  /** An end that was not told (a node that died, an account that was disabled, time) still closes the socket. */
  async function look(): Promise<void> {
    const people = [...io.of('/').sockets.values()].flatMap(({ data }) => data.person ?? [])
    const ids = [...new Set(people.map(({ session_id }) => session_id))]
    for (let at = 0; at < ids.length; at += STRIDE) await lookAt(ids.slice(at, at + STRIDE))
  }

  const failed = (err: unknown) => log.error({ err }, 'sockets')
  let delivered = Promise.resolve()
  const deaf = signals.on(REALTIME_CHANNEL, (payload) => {
    // News were missed: every page comes again by itself, each at a moment of its own, and loads everything anew.
    if (payload === undefined) for (const { conn } of io.of('/').sockets.values()) conn.close()
    else delivered = delivered.then(() => deliver(JSON.parse(payload) as News[])).catch(failed)
  })
  const looking = setInterval(() => void look().catch(failed), lookEvery * 1000)
  looking.unref()

  function take({ counted }: Admitted): (() => void) | undefined {
    if (counted.some(({ by, most }) => (held.get(by) ?? 0) >= most)) return undefined
    for (const { by } of counted) held.set(by, (held.get(by) ?? 0) + 1)
    return () => {
      for (const { by } of counted) {
        const left = (held.get(by) ?? 1) - 1
        if (left > 0) held.set(by, left)
        else held.delete(by)
      }
    }
  }

  return {
    async upgrade(request, connection, head) {
      // Until the engine takes it over nobody else listens, and an error that nobody hears ends the process.
      connection.on('error', () => connection.destroy())
      const asked = URL.parse(request.url ?? '', 'http://here.invalid')
      if (asked?.pathname.replace(/\/$/, '') !== SOCKET_PATH) return refuse(connection, 404)
      const admitted = await doorkeeper.admit(request).catch((err) => {
        failed(err)
        return 503 as const
      })
      if (connection.destroyed) return
      if (typeof admitted === 'number') return refuse(connection, admitted)
      if (admitted !== 'expired') {
        const release = take(admitted)
        if (!release) return refuse(connection, 429)
        connection.once('close', release)
      }
      admissions.set(request, admitted)
      engine.handleUpgrade(request, connection, head)
    },
    count: () => io.of('/').sockets.size,
    close() {
      clearInterval(looking)
      deaf()
      // Not `io.close()`: pages must come again by themselves, to whichever node is there.
      engine.close()
    },
  }
}

/** Answers and hangs up: the server's own timeouts have let go of it, so whoever never does would keep it for ever. */
function refuse(connection: Duplex, status: number): void {
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

/** A page answers the goodbye at once; whoever does not is not waited for. */
function cutWhenClosed(connection: EngineSocket): void {
  const { socket } = connection.request
  connection.on('close', () => setTimeout(() => socket.destroy(), GOODBYE_MS).unref())
}

/** Shows out whoever sends more than a page ever would; malformed and long frames end their socket by themselves. */
function boundFlood(connection: EngineSocket): void {
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
  // Pings of WebSocket itself are answered below the engine, and are no packets.
  const { socket } = connection.transport as { socket?: { on(name: 'ping', heard: () => void): void } }
  socket?.on('ping', count)
}

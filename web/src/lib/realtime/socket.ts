import { RECONNECTION, type ServerEvents, SOCKET_PATH } from '@vrata/contract/realtime'
import { io, type Socket } from 'socket.io-client'

export type SocketOptions = {
  /** Origin of the API; empty for the origin of the pages. */
  base: string
  /** Event handlers. */
  on: Partial<ServerEvents>
  /** Connected; with `reconnected`, earlier events may have been missed. */
  onConnect?(reconnected: boolean): void
  onDisconnect?(): void
  /** Called when the server rejects the cookies. Returns whether the session was renewed. */
  renewSession?(): Promise<boolean>
}

export interface RealtimeSocket {
  close(): void
}

/** Realtime connection (product §4.7). Loaded on demand with the client library. */
export function openSocket({ base, on, onConnect, onDisconnect, renewSession }: SocketOptions): RealtimeSocket {
  const socket: Socket<ServerEvents> = io(base || location.origin, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    forceNew: true,
    ...RECONNECTION,
  })
  let closed = false
  let late = false

  for (const [event, run] of Object.entries(on)) socket.on(event as 'qr:changed', run as () => void)
  socket.on('connect', () => onConnect?.(late))
  socket.on('disconnect', handleLoss)
  socket.on('connect_error', handleLoss)

  // The client reconnects by itself except after a rejection by the server.
  function handleLoss() {
    if (closed) return
    late = true
    onDisconnect?.()
    if (!socket.active) void reconnect()
  }

  async function reconnect(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, RECONNECTION.reconnectionDelay * (0.5 + Math.random())))
    if (closed || (renewSession && !(await renewSession())) || closed) return
    socket.connect()
  }

  return {
    close() {
      closed = true
      socket.close()
    },
  }
}

import { RECONNECTION, type ServerEvents, SOCKET_PATH } from '@vrata/contract/realtime'
import { io, type Socket } from 'socket.io-client'

export type SocketWires = {
  /** Origin of the API; empty for that of the pages. */
  base: string
  /** What the server may say, and what to do then. */
  on: Partial<ServerEvents>
  /** The connection is there; `late`: not at the first try, and whatever was said until now was not heard. */
  onOpen?(late: boolean): void
  onLost?(): void
  /** The cookies open nothing any more. Answers whether they do now: the session was renewed. */
  renew?(): Promise<boolean>
}

export interface OpenSocket {
  close(): void
}

/** The realtime connection (specification §7 and §9). This file, with the client in it, is loaded once one is wanted. */
export function openSocket({ base, on, onOpen, onLost, renew }: SocketWires): OpenSocket {
  const socket: Socket<ServerEvents> = io(base || location.origin, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    forceNew: true,
    ...RECONNECTION,
  })
  let closed = false
  let late = false

  for (const [event, run] of Object.entries(on)) socket.on(event as 'qr:changed', run as () => void)
  socket.on('connect', () => onOpen?.(late))
  socket.on('disconnect', lost)
  socket.on('connect_error', lost)

  // The client comes again by itself after all but a no of the server.
  function lost() {
    if (closed) return
    late = true
    onLost?.()
    if (!socket.active) void comeAgain()
  }

  async function comeAgain(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, RECONNECTION.reconnectionDelay * (0.5 + Math.random())))
    if (closed || (renew && !(await renew())) || closed) return
    socket.connect()
  }

  return {
    close() {
      closed = true
      socket.close()
    },
  }
}

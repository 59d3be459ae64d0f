import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands between a test and a server, and can keep all bytes back, as a paused server (SIGSTOP) does. */
export interface PausingProxy {
  port: number
  /** Connections are accepted and kept, and nothing passes in either direction. */
  pause(): void
  /** Lets everything through again; `forgetful`: the connections from before stay silent forever, as those to a former primary. */
  resume(forgetful?: boolean): void
}

export async function pausingProxy(to: { host: string; port: number }): Promise<PausingProxy> {
  const sockets = new Set<Socket>()
  let paused = false
  const server = createServer((near) => {
    const far = connect(to.port, to.host)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => into.destroy())
      from.on('close', () => {
        sockets.delete(from)
        into.destroy()
      })
      from.pipe(into)
      if (paused) {
        from.unpipe()
        from.pause()
      }
    }
    pairs.set(near, far)
    pairs.set(far, near)
  })
  const pairs = new Map<Socket, Socket>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    pause() {
      paused = true
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    resume(forgetful = false) {
      paused = false
      if (forgetful) return
      for (const socket of sockets) socket.pipe(pairs.get(socket) as Socket)
    },
  }
}

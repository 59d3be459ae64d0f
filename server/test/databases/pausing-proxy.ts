import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands between a test and a server, and can keep all bytes back, as a paused server (SIGSTOP) does, or end all connections. */
export interface PausingProxy {
  port: number
  /** Connections are accepted and kept, and nothing passes in either direction. */
  pause(): void
  /** Ends each new connection at once. */
  refuse(): void
  /** Ends all connections, too. */
  cut(): void
  /** Ends all connections when the next bytes of the server come, which are lost. New connections are not affected. */
  loseNextAnswer(): void
  /** Lets everything through again; `forgetful`: the connections from before stay silent forever, as those to a former primary. */
  resume(forgetful?: boolean): void
}

export async function pausingProxy(to: { host: string; port: number }): Promise<PausingProxy> {
  const sockets = new Set<Socket>()
  let paused = false
  let refuses = false
  const server = createServer((near) => {
    if (refuses) return near.destroy()
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
    toNear.set(far, near)
    far.on('close', () => toNear.delete(far))
  })
  const pairs = new Map<Socket, Socket>()
  const toNear = new Map<Socket, Socket>()
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
    refuse() {
      refuses = true
    },
    cut() {
      refuses = true
      for (const socket of sockets) socket.destroy()
    },
    loseNextAnswer() {
      for (const [far, near] of toNear) {
        far.unpipe()
        far.once('data', () => {
          near.destroy()
          far.destroy()
        })
        far.resume()
      }
    },
    resume(forgetful = false) {
      paused = false
      refuses = false
      if (forgetful) return
      for (const socket of sockets) socket.pipe(pairs.get(socket) as Socket)
    },
  }
}

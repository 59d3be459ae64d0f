import { createConnection, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Argument that the driver passes to the option `socket`; its types do not name it. */
export type Place = { host: readonly string[]; port: readonly number[]; path: string | false }

/** How long a connection that was closed without a byte delays the next ones, in milliseconds. */
const RECENT = 1000

/**
 * Opens the sockets of one client. By itself the driver connects again without a pause when a first connection is closed without an
 * error, as by HAProxy without a server, and also when the client has been ended meanwhile.
 */
export class Sockets {
  #closedAt = Number.NEGATIVE_INFINITY
  #isEnded = false
  #next = 0
  readonly #wait: () => number

  /** `wait`: milliseconds before another attempt. */
  constructor(wait: () => number) {
    this.#wait = wait
  }

  end(): void {
    this.#isEnded = true
  }

  /** The driver writes to a socket before it is connected; Node sends that afterwards. */
  async open({ host, port, path }: Place): Promise<Socket> {
    // The driver listens to errors once this has resolved, and Node emits one that it knows at once, such as ENETUNREACH, after the microtasks.
    // So the socket is made in a microtask, too; without a listener, the error would end the process.
    await (performance.now() - this.#closedAt < RECENT ? pause(this.#wait()) : undefined)
    if (this.#isEnded) return new Socket().destroy()
    const n = this.#next++ % host.length
    // The driver reads `host` for the name in the TLS handshake.
    const place = { host: host[n], port: port[n] as number }
    // The driver sends a message in parts; the system would hold the next one back until the last is acknowledged, 40 ms on Linux.
    const socket = path ? createConnection(path) : Object.assign(createConnection({ ...place, noDelay: true }), place)
    socket.once('close', (failed: boolean) => {
      if (!failed && socket.bytesRead === 0) this.#closedAt = performance.now()
    })
    return socket
  }
}

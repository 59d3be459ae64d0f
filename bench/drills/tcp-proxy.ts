import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on loopback that can be cut: connections stay open and silent, and new ones are not answered. */
export class TcpProxy {
  readonly #sockets = new Map<Socket, Socket>()
  readonly #server
  #isCut = false

  constructor(to: number) {
    this.#server = createServer((near) => {
      const far = connect(to, '127.0.0.1')
      this.#join(near, far)
      this.#join(far, near)
    })
  }

  /** Resolves with the address of its near end, in place of the one that leads to the far end. */
  async through(url: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const near = new URL(url)
    near.port = String((this.#server.address() as AddressInfo).port)
    return near.href
  }

  cut(): void {
    this.#isCut = true
    for (const from of this.#sockets.keys()) from.unpipe().pause()
  }

  mend(): void {
    this.#isCut = false
    for (const [from, into] of this.#sockets) from.pipe(into)
  }

  remove(): void {
    for (const socket of this.#sockets.keys()) socket.destroy()
    this.#server.close()
  }

  #join(from: Socket, into: Socket): void {
    this.#sockets.set(from, into)
    from.on('error', () => into.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      into.destroy()
    })
    if (this.#isCut) from.pause()
    else from.pipe(into)
  }
}

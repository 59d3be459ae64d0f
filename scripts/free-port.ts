import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A TCP port of this machine that no server listens on, at the address on which the server will listen. */
export async function freePort(host: 'localhost' | '127.0.0.1' = 'localhost'): Promise<number> {
  const [port] = await freePorts(1, host)
  return port as number
}

/** Different free TCP ports of this machine. */
export async function freePorts(count: number, host: 'localhost' | '127.0.0.1' = '127.0.0.1'): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    next = next < LAST ? next + 1 : FIRST
    if (await isFree(next, host)) ports.push(next)
  }
  return ports
}

/**
 * Below the ports that systems give to outgoing connections and to servers without a port of their own: one of those could be taken
 * before the server that it is for listens. Each process begins elsewhere.
 */
const [FIRST, LAST] = [10_000, 32_000]
let next = randomInt(FIRST, LAST)

/** Whether no server listens on a port of this machine at that address. */
export async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host)
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await once(server.close(), 'close')
  return isListening
}

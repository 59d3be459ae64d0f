import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A TCP port of this machine that no server listens on, at the address on which the server will listen. */
export async function freePort(host: 'localhost' | '127.0.0.1' = 'localhost'): Promise<number> {
  const [port] = await freePorts(1, host)
  return port as number
}

/** Different free TCP ports of this machine. */
export async function freePorts(count: number, host: 'localhost' | '127.0.0.1' = '127.0.0.1'): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, host))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

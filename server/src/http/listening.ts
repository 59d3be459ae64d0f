import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The server cannot listen where `HOST` and `PORT`, or `VRATA_METRICS_LISTEN`, say; the message is a sentence for operators. */
export class CannotListen extends Error {
  override name = 'CannotListen'
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'this user may not use the port',
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the address of the name cannot be found now',
}

/** Waits until a server listens; rejects with `CannotListen`. The same errors of the database have another meaning. */
export async function listening<T>(place: { host: string; port: number }, started: Promise<T>): Promise<T> {
  return await started.catch((cause: Error & { code?: unknown }) => {
    const reason = REASONS[String(cause.code)] ?? cause.message
    throw new CannotListen(`The server cannot listen at port ${place.port} of ${place.host}: ${reason}.`, { cause })
  })
}

/**
 * Ends connections on which nothing has arrived when the server closes. Browsers open them in advance. Node.js counts one as busy until
 * its first request is complete, and no longer looks for slow ones once it closes.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  })
}

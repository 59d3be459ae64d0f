import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientCache } from '../provider/clients/client-cache.ts'

/** Any origin may read the response, without credentials: public documents and errors. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
}

/** A preflight request names no client, so it is always allowed; the actual request is checked (protocol §2.6). */
export function preflight(request: FastifyRequest, reply: FastifyReply, methods: string): FastifyReply {
  allowAnyOrigin(reply)
  return reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? 'authorization')
    .header('access-control-max-age', '3600')
    .code(204)
    .send()
}

/** Returns false when the request comes from an origin that the client has not registered (protocol §2.6). */
export async function allowOrigin(
  clients: ClientCache,
  request: FastifyRequest,
  reply: FastifyReply,
  client_id: string,
): Promise<boolean> {
  const { origin } = request.headers
  reply.header('vary', 'Origin')
  if (!origin) return true
  const client = await clients.find(client_id)
  if (!client?.origins.includes(origin)) return false
  reply.header('access-control-allow-origin', origin)
  return true
}

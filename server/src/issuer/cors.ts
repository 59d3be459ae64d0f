import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownClients } from './known-clients.ts'

/** Public documents, and refusals: readable from any page, never with cookies. */
export function openToAll(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
}

/** A preflight names no app yet, so it lets everybody ask; the request itself is then refused (oidc.md §2f). */
export function preflight(request: FastifyRequest, reply: FastifyReply, methods: string): FastifyReply {
  openToAll(reply)
  return reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? 'authorization')
    .header('access-control-max-age', '3600')
    .code(204)
    .send()
}

/** Whether the page that asks may read what belongs to this app: one of its registered origins (api.md §6). */
export async function allowOrigin(
  clients: KnownClients,
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

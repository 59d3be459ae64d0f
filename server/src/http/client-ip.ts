import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** What `ipOf` has found. */
    known_ip?: string
  }
}

/**
 * IP address of the client. Behind a proxy Fastify parses the headers each time it is asked for it, which takes two percent of a short
 * request; and the address of the socket is unknown once the client has gone.
 */
export function ipOf(request: FastifyRequest): string {
  request.known_ip ??= request.ip
  return request.known_ip
}

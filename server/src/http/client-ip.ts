import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What `ipOf` has found. */
    known_ip?: string
  }
}

/** Declares the property in which `ipOf` keeps the address, so that all requests have one shape. */
export function rememberClientIp(app: FastifyInstance): void {
  app.decorateRequest('known_ip')
}

/**
 * IP address of the client. Behind a proxy Fastify parses the headers each time it is asked for it, which takes two percent of a short
 * request; and the address of the socket is unknown once the client has gone.
 */
export function ipOf(request: FastifyRequest): string {
  request.known_ip ??= request.ip
  return request.known_ip
}

/** Whether an address is a trusted proxy, with the same rules as Fastify. */
export function trustedProxies(trusted: Config['trust_proxy']): (address: string, hop: number) => boolean {
  return typeof trusted === 'string' ? proxyAddr.compile(trusted.split(',').map((one) => one.trim())) : () => trusted
}

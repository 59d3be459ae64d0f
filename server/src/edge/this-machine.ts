import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(::1|(::ffff:)?127\.)/
const OWN_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Whether a house with this public URL is open to this machine alone. */
export function isThisMachine(url: string): boolean {
  return OWN_NAME.test(new URL(url).host)
}

/**
 * Whether whoever asks sits at this machine: by the connection itself and not through a proxy, and by a name of this
 * machine, so that no page elsewhere gets here by making its own name point to us.
 */
export function fromThisMachine({ headers, raw }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] || headers.forwarded) return false
  return LOOPBACK.test(raw.socket.remoteAddress ?? '') && OWN_NAME.test(headers.host ?? '')
}

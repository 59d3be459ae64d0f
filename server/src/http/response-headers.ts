import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

/** HSTS max-age in seconds: two years, as preload lists require. */
export const ONLY_HTTPS = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const

/**
 * Default security headers of every response (security §3.4): no sniffing, framing, embedding, scripts or
 * referrer, https only.
 * Pages and files override them.
 */
export function setResponseHeaders(app: FastifyInstance, config: Pick<Config, 'secure'>): void {
  const least = Object.entries(minimalHeaders(config))
  app.addHook('onSend', (_, reply, payload, done) => {
    for (const [name, value] of least) if (!reply.hasHeader(name)) reply.header(name, value)
    done(null, payload)
  })
}

/** The headers of {@link setResponseHeaders}, for responses that are sent before any hook runs. */
export function minimalHeaders({ secure }: Pick<Config, 'secure'>): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    // Responses read across origins are requested with CORS, to which this policy does not apply.
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(secure ? ONLY_HTTPS : {}),
  }
}

import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** Seconds for which a browser comes only by https: two years, as browsers' own lists want it. */
export const ONLY_HTTPS = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const

/**
 * What a browser must never do with an answer, whoever wrote it (ASVS 3.4): guess what it is, run or frame it, tell others
 * where it was, come without https. Pages and files, which may do more, say so themselves.
 */
export function guardAnswers(app: FastifyInstance, config: Pick<Config, 'secure'>): void {
  const least = Object.entries(leastHeaders(config))
  app.addHook('onSend', (_, reply, payload, done) => {
    for (const [name, value] of least) if (!reply.hasHeader(name)) reply.header(name, value)
    done(null, payload)
  })
}

/** What {@link guardAnswers} adds; for answers that leave before any hook. */
export function leastHeaders({ secure }: Pick<Config, 'secure'>): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(secure ? ONLY_HTTPS : {}),
  }
}

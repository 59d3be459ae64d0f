import { DEVELOPER_HEADER } from '@vrata/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/**
 * Whether a state-changing request comes from our own pages. Browsers always send `Origin` (or at least
 * `Sec-Fetch-Site`) with such requests; a caller that sends neither is no browser, so no person's cookies
 * can have been borrowed (decision "Origin and Fetch Metadata instead of CSRF tokens").
 */
export function fromOwnOrigin(config: Pick<Config, 'web_origins'>, request: FastifyRequest): boolean {
  const origin = request.headers.origin
  const site = request.headers['sec-fetch-site']
  // What a browser says of our own forms, since our pages send no referrer; a page in a sandbox says it, too.
  if (origin === 'null') return site === 'same-origin'
  if (origin !== undefined) return config.web_origins.includes(origin)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Lets the configured page origins call the API with cookies when pages and API live on two hosts. */
export function allowOwnOrigins(app: FastifyInstance, config: Pick<Config, 'web_origins' | 'url'>): void {
  const foreign = config.web_origins.filter((origin) => origin !== config.url)
  if (foreign.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const origin = request.headers.origin
    if (!origin || !foreign.includes(origin) || !request.url.startsWith('/v1/')) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-allow-credentials', 'true')
    reply.header('access-control-expose-headers', 'retry-after')
    reply.header('vary', 'Origin')
    if (request.method === 'OPTIONS') {
      reply.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      reply.header('access-control-allow-headers', `content-type, ${DEVELOPER_HEADER}`)
      reply.header('access-control-max-age', '600')
      return reply.code(204).send()
    }
  })
}

import { DEVELOPER_HEADER } from '@vrata/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/**
 * Whether a state-changing request comes from our pages. Browsers always send `Origin` or `Sec-Fetch-Site` with such
 * requests. A caller that sends neither is not a browser, so it cannot misuse the cookies of a user (decision 0005).
 */
export function isSameOrigin(config: Pick<Config, 'web_origins'>, request: FastifyRequest): boolean {
  const origin = request.headers.origin
  const site = request.headers['sec-fetch-site']
  // `Origin: null` is what browsers send for our own forms, because our pages send no referrer; sandboxed pages send
  // it, too.
  if (origin === 'null') return site === 'same-origin'
  if (origin !== undefined) return config.web_origins.includes(origin)
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** Allows pages at other origins than that of the API to call it with cookies (CORS). */
export function allowWebOrigins(app: FastifyInstance, config: Pick<Config, 'web_origins' | 'api_url'>): void {
  const foreign = config.web_origins.filter((origin) => origin !== config.api_url)
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

import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { hashToken } from '../../lib/ids.ts'
import { isLoopbackRequest, isLoopbackUrl } from '../../lib/loopback.ts'

/**
 * `GET /metrics` for Prometheus: count, status and duration of requests by route, and process metrics. Requires the bearer
 * token `VRATA_METRICS_TOKEN`; without one, only requests from this machine to a public URL on loopback are answered (api
 * §8.3). Otherwise 404.
 */
export function mountMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'metrics_token' | 'url'>,
  sockets: { count(): number },
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vrata_' })
  const labels = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'vrata_requests_total',
    help: 'Answered requests.',
    labelNames: labels,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'vrata_request_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['route'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'vrata_sockets',
    help: 'Open realtime sockets.',
    registers: [registry],
    collect() {
      this.set(sockets.count())
    },
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The route pattern: a label per URL would grow without limit, and URLs contain secrets.
    const route = request.routeOptions.url ?? 'none'
    requests.inc({ method: request.method, route, status: reply.statusCode })
    seconds.observe({ route }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(config, request)) return reply.callNotFound()
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

function mayRead({ metrics_token, url }: Pick<Config, 'metrics_token' | 'url'>, request: FastifyRequest): boolean {
  // A proxy on this machine that sends no X-Forwarded-For looks like a local client.
  if (metrics_token === undefined) return isLoopbackUrl(url) && isLoopbackRequest(request)
  const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ')
  // Compares hashes, because a constant-time comparison needs equal lengths.
  return scheme === 'Bearer' && timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(metrics_token)))
}

import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { hashToken } from '../ports/ids.ts'
import { fromThisMachine } from './this-machine.ts'

/**
 * `GET /metrics` for Prometheus: how many requests, how they ended and how long they took, by route, and how the process
 * does. For this machine only, or for whoever holds `VRATA_METRICS_TOKEN` (api.md §8); to anybody else there is no such
 * page.
 */
export function mountMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'metrics_token'>,
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
    // The route as it is written: a label per address would grow without end, and addresses carry secrets.
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

function mayRead({ metrics_token }: Pick<Config, 'metrics_token'>, request: FastifyRequest): boolean {
  if (metrics_token === undefined) return fromThisMachine(request)
  const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ')
  // Hashes are of one length, as a constant-time comparison wants.
  return scheme === 'Bearer' && timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(metrics_token)))
}

import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signIn } from '@vrata/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { hashToken } from '../../lib/ids.ts'
import { isLoopbackRequest } from '../../lib/loopback.ts'
import type { SignInMethod } from '../../lib/meter.ts'
import { listening } from '../listening.ts'
import type { Metrics, Watched } from './metrics.ts'

/** Calls that sign a person in. Their problems are counted here, and what succeeds where the session begins. */
const SIGN_IN_CALLS = new Map<unknown, SignInMethod>([
  [signIn.login, 'password'],
  [signIn.loginOtp, 'code'],
  [signIn.passkeyLogin, 'passkey'],
  [signIn.register, 'registration'],
])

/** Counts requests, problems of sign-in and answers of the token endpoint. */
function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The route pattern: a label per URL would grow without limit, and URLs contain secrets.
    const route = request.routeOptions.url ?? 'none'
    metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    const method = request.call && SIGN_IN_CALLS.get(request.call)
    if (method && request.problem) metrics.signIn(method, request.problem)
    if (request.grant_type) metrics.grant(request.grant_type, grantResult(request.problem, reply.raw.statusCode))
    done()
  })
}

function grantResult(problem: string | undefined, status: number): string {
  return problem ?? (status < 400 ? 'issued' : String(status))
}

/**
 * Counts requests, and serves `GET /metrics` at the address of the server, unless it has an address of its own. Requires the bearer token
 * `VRATA_METRICS_TOKEN`; without one, only requests from this machine are answered, and only while the public URL is on loopback
 * (api §8.3). Otherwise 404.
 */
export function mountMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'metrics_token' | 'metrics_listen'>,
  metrics: Metrics | undefined,
  watched: Watched,
): void {
  if (!metrics) return
  metrics.watch(watched)
  countRequests(app, metrics)
  if (config.metrics_listen) return
  const mayRead = (request: FastifyRequest) =>
    // A proxy on this machine that sends no X-Forwarded-For looks like a local client.
    config.metrics_token === undefined ? isLoopbackRequest(request) : hasToken(config.metrics_token, request.headers)
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound()
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text())
  })
}

/** Milliseconds for a request to the address of its own. */
const PATIENCE = 10_000

/**
 * Serves `/metrics`, and nothing else, at `VRATA_METRICS_LISTEN`, with the bearer token if there is one. Rejects with
 * `CannotListen`.
 */
export async function listenForMetrics(
  { metrics_listen, metrics_token }: Pick<Config, 'metrics_listen' | 'metrics_token'>,
  metrics: Metrics | undefined,
): Promise<{ port: number; close(): Promise<void> } | undefined> {
  if (!metrics || !metrics_listen) return undefined
  const server = createServer({ requestTimeout: PATIENCE, headersTimeout: PATIENCE }, async (request, response) => {
    const found = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!found) return void response.writeHead(404).end()
    if (metrics_token !== undefined && !hasToken(metrics_token, request.headers))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    const body = await metrics.text().catch(() => undefined)
    if (body === undefined) return void response.writeHead(500).end()
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(body)
  })
  const started = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(metrics_listen.port, metrics_listen.host, resolve)
  })
  await listening(metrics_listen, started)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function hasToken(token: string, headers: IncomingHttpHeaders): boolean {
  const [scheme, given = ''] = (headers.authorization ?? '').split(' ')
  // Compares hashes, because a constant-time comparison needs equal lengths.
  return scheme === 'Bearer' && timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(token)))
}

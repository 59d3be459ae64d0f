import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeWithProblem } from '../problems.ts'

/**
 * Milliseconds within which a client must have sent the headers, and the whole of a request (security §20.8). Uploads
 * may wait for a place before their body is read, for which `uploadBody` is the time (security §20.9). `check`: the interval
 * at which Node.js looks for connections that are too slow. `stalled`: a connection with a request on which nothing is sent or received for
 * so long is closed, such as that of a client which does not read its answer; longer than an upload waits.
 */
export const REQUEST_TIMEOUTS = {
  headers: 10_000,
  body: 30_000,
  upload: 60_000,
  uploadBody: 20_000,
  check: 2_000,
  stalled: 75_000,
}
export type RequestTimeouts = typeof REQUEST_TIMEOUTS

/** Options of Fastify. Node.js has one limit for all requests, so it gets the longest one. */
export function timeoutOptions({ headers, upload, check, stalled }: RequestTimeouts) {
  return {
    requestTimeout: upload,
    connectionTimeout: stalled,
    http: { headersTimeout: headers, connectionsCheckingInterval: check },
  }
}

/**
 * Disconnects clients that do not send the body of a request in time, and at most `check` later; uploads have the limit of Node.js. One timer
 * for all requests: one for each takes as long as a statement of SQLite.
 */
export function limitSlowBodies(
  app: FastifyInstance,
  { body, check }: Pick<RequestTimeouts, 'body' | 'check'>,
  headers: Record<string, string>,
): void {
  /** Requests whose body has not arrived, and when they began, by `performance.now()`. */
  const began = new Map<IncomingMessage, number>()
  app.addHook('onRequest', (request, _, done) => {
    if (hasBody(request) && !isUpload(request)) began.set(request.raw, performance.now())
    done()
  })
  app.addHook('onResponse', ({ raw }, _, done) => {
    // The rest of a body whose request was answered early has the same limit.
    if (raw.complete !== false) began.delete(raw)
    done()
  })
  const timer = setInterval(() => {
    const before = performance.now() - body
    for (const [raw, time] of began) {
      // `complete` is undefined for injected requests, which have no socket.
      const isArriving = raw.complete === false && !raw.destroyed
      if (isArriving && time >= before) continue
      began.delete(raw)
      if (isArriving) closeWithProblem(raw.socket, 'request_timeout', headers)
    }
  }, check).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function isUpload({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as { upload?: boolean }).upload === true
}

import type { FastifyInstance } from 'fastify'
import type { RequestSpan, Tracing } from '../../lib/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span?: RequestSpan
  }
}

/** Makes each request a span; the log line of the request names its trace. */
export function traceRequests(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('span')
  if (!tracing) return
  app.addHook('onRequest', (request, _, done) => {
    const { id, method, headers } = request
    request.span = tracing.request({ id, method, headers })
    request.span.run(done)
  })
  // The body was read in callbacks of the socket, which belong to no request.
  app.addHook('preValidation', (request, _, done) => (request.span ? request.span.run(done) : done()))
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions
    request.span?.end({ route, status: reply.statusCode, problem: request.problem })
    done()
  })
}

import type { Route } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'
import { ipOf } from './client-ip.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, once the guards have found the session. */
    user_id?: string
    /** The client that the request names, at an endpoint of the issuer. */
    client_id?: string
    /** Code of the problem, or the OAuth error, that the response reports. */
    problem?: string
    /** The call of the contract, at its address or as a form. */
    call?: Route
    /** Grant type of a token request, one of those that the issuer offers. */
    grant_type?: string
    /** Whether the issuer has answered without oidc-provider (decision 0096). */
    native?: boolean
  }
}

/** Levels of the log at which the line of a response is written. */
const WRITTEN_AT = new Set(['trace', 'debug', 'info'])

/**
 * Logs one line per response: when, from where, which user, what, and the result (security §16.2.1). It has the route
 * pattern, never the URL, because URLs contain one-time tokens and codes (security §16.2.5). Every response carries the
 * request id.
 */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('user_id')
  app.decorateRequest('client_id')
  app.decorateRequest('problem')
  app.decorateRequest('native')
  app.decorateRequest('call')
  app.decorateRequest('grant_type')
  // Callbacks instead of promises: four promises per response cost a tenth of a small one.
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    done(null, payload)
  })
  // Putting the line together, with the address of the client, takes some percent of a short request.
  if (!WRITTEN_AT.has(app.log.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: ipOf(request),
        user_id: request.user_id,
        client_id: request.client_id,
        problem: request.problem,
        native: request.native,
        trace_id: request.span?.trace_id,
      },
      'answered',
    )
    done()
  })
}

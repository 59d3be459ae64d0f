import { randomUUID } from 'node:crypto'
import { LIMITS } from '@vrata/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../config/config.ts'
import { ignoreTypesOfNoBody } from './bodies/empty-requests.ts'
import { type RequestTimeouts, timeoutOptions } from './bodies/slow-requests.ts'
import { rememberClientIp, trustedProxies } from './client-ip.ts'
import { endUnusedConnections } from './listening.ts'
import { answerMalformed, sendProblem, toProblem } from './problems.ts'
import { minimalHeaders } from './response-headers.ts'
import { isWebSocketRequest } from './sockets.ts'

/** The HTTP server without hooks and routes. */
export function createServer(config: Config, log: FastifyBaseLogger, timeouts: RequestTimeouts): FastifyInstance {
  const { requestTimeout, connectionTimeout, http } = timeoutOptions(timeouts)
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: typeof config.trust_proxy === 'string' ? trustedProxies(config.trust_proxy) : config.trust_proxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 3 * LIMITS.client_id_max },
    requestTimeout,
    connectionTimeout,
    // A request whose headers announce no body is complete: Node.js makes no stream of nothing.
    http: { ...http, optimizeEmptyRequests: true, shouldUpgradeCallback: isWebSocketRequest },
    keepAliveTimeout: 65_000,
    // Inputs are checked by the contract. Without these, Fastify loads compilers of JSON schemas.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // A request that arrives while the server closes is answered like one before (decision 0083).
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // A malformed URL reaches no hook and no handler.
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, reply.headers(minimalHeaders(config)) as never, toProblem(error)),
    clientErrorHandler: answerMalformed(minimalHeaders(config)),
  })
  // Fastify accepts JSON and text; the calls take JSON.
  app.removeContentTypeParser('text/plain')
  rememberClientIp(app)
  ignoreTypesOfNoBody(app)
  endUnusedConnections(app)
  return app
}

function noSchemas(): never {
  throw new Error('A route has a schema of Fastify; state its input in the contract.')
}

import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenDeps } from '../deps.ts'
import { isLoopbackUrl, outbound } from '../ports/outbound.ts'
import { RefusalBook } from '../slices/clients/door.ts'
import { ClientKeys } from './client-keys.ts'
import { resumeCookie } from './cookies.ts'
import { direct } from './interactions.ts'
import { Issuer } from './issuer.ts'
import { KnownClients } from './known-clients.ts'
import { mountReads } from './mount-reads.ts'
import { CONFIRM_PATH, CONSENT_PATH, ROUTES, SIGNED_OUT_PATH } from './paths.ts'
import { errorPage } from './refusals.ts'
import { mountRegistration } from './registration.ts'
import { type EngineHouse, serveEngine, unitFor } from './serve-engine.ts'

export interface IssuerOptions {
  /** Answers with the web app, for `/oauth` and `/authorize` without an authorization request. */
  page(request: FastifyRequest, reply: FastifyReply): unknown
  /** Bounds what one address may begin: each authorization request that waits for a person is a row. */
  limit(ip: string): Promise<void>
}

type Query = Record<string, string | string[] | undefined>

/** Mounts everything that apps talk to, below the public URL (oidc.md §4.1). */
export async function mountIssuer(app: FastifyInstance, deps: OpenDeps, options: IssuerOptions): Promise<void> {
  const issuer = await Issuer.open(deps)
  const clients = new KnownClients(deps.db, deps.signals)
  const keys = new ClientKeys(outbound({ loopback: isLoopbackUrl(deps.config.url) }))
  const refusals = new RefusalBook(deps)
  app.addHook('onClose', async () => {
    issuer.close()
    clients.close()
  })
  const house = { deps, issuer, clients, keys, refusals }
  await app.register(async (scope) => mountReads(scope, house))
  if (deps.config.client_registration) {
    await app.register(async (scope) => mountRegistration(scope, house, options.limit))
  }
  await app.register(async (scope) => mountEngine(scope, house, options))
}

function mountEngine(app: FastifyInstance, house: EngineHouse, { page, limit }: IssuerOptions): void {
  // The engine reads bodies itself; nothing may read them before.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_, __, done) => done(null))

  const { deps, issuer } = house
  const engine = (request: FastifyRequest, reply: FastifyReply) =>
    serveEngine(house, request, reply, unitFor(house, request))
  const authorize = async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    if (!isAuthorization(request)) return page(request, reply)
    await limit(request.ip)
    request.raw.url = ROUTES.authorization + searchOf(request)
    return engine(request, reply)
  }
  // A HEAD must not make a code.
  const quiet = { exposeHeadRoute: false }
  app.get(ROUTES.authorization, quiet, authorize)
  app.get(CONSENT_PATH, quiet, authorize)
  app.get<{ Params: { uid: string } }>(`${ROUTES.authorization}/:uid`, quiet, async (request, reply) => {
    const { uid } = request.params
    const { [resumeCookie(deps.config)]: bound } = parseCookie(request.headers.cookie ?? '')
    if (bound !== uid) return reply.redirect(errorPage('request_expired'), 303)
    const unit = unitFor(house, request)
    const direction = await direct(unit, uid, issuer)
    reply.header('cache-control', 'no-store')
    if ('error' in direction) return reply.redirect(errorPage(direction.error), 303)
    if ('to' in direction) return reply.redirect(direction.to, 303)
    unit.resumed = direction.resume
    return serveEngine(house, request, reply, unit)
  })
  for (const url of [ROUTES.token, ROUTES.revocation]) app.route({ method: ['POST', 'OPTIONS'], url, handler: engine })
  const limited = async (request: FastifyRequest, reply: FastifyReply) => {
    await limit(request.ip)
    return engine(request, reply)
  }
  app.post(ROUTES.pushed_authorization_request, limited)
  app.route({ method: ['POST', 'OPTIONS'], url: ROUTES.device_authorization, handler: limited })
  app.get(ROUTES.end_session, engine)
  app.post(CONFIRM_PATH, engine)
  app.get(SIGNED_OUT_PATH, engine)
}

/** `/authorize` is the specification's other name of the consent page, too (specification §2). */
function isAuthorization(request: FastifyRequest<{ Querystring: Query }>): boolean {
  const { query } = request
  if (query.response_type !== undefined || query.request_uri !== undefined) return true
  return request.url.startsWith(ROUTES.authorization) && query.uid === undefined && query.error === undefined
}

function searchOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?')
  return at === -1 ? '' : request.url.slice(at)
}

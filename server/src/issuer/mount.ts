import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenDeps } from '../deps.ts'
import { visitorOf } from '../edge/fence.ts'
import { CookieJar } from '../edge/session-cookie.ts'
import { resumeCookie } from './cookies.ts'
import { direct } from './interactions.ts'
import { Issuer } from './issuer.ts'
import { mountReads } from './mount-reads.ts'
import { CONFIRM_PATH, ROUTES } from './paths.ts'
import { errorPage } from './refusals.ts'
import { runUnit, Unit } from './unit-of-work.ts'

export interface IssuerOptions {
  /** Answers with the web app, for `/oauth` and `/authorize` without an authorization request. */
  page(request: FastifyRequest, reply: FastifyReply): unknown
}

type Query = Record<string, string | string[] | undefined>

/** Mounts everything that apps talk to, below the public URL (oidc.md §4.1). */
export async function mountIssuer(app: FastifyInstance, deps: OpenDeps, options: IssuerOptions): Promise<void> {
  const issuer = await Issuer.open(deps)
  app.addHook('onClose', async () => issuer.close())
  await app.register(async (scope) => mountReads(scope, deps, issuer))
  await app.register(async (scope) => mountEngine(scope, deps, issuer, options))
}

function mountEngine(app: FastifyInstance, deps: OpenDeps, issuer: Issuer, { page }: IssuerOptions): void {
  // The engine reads bodies itself; nothing may read them before.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_, __, done) => done(null))

  const engine = (request: FastifyRequest, reply: FastifyReply) => serve(deps, issuer, request, reply)
  const authorize = async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    if (!isAuthorization(request)) return page(request, reply)
    request.raw.url = ROUTES.authorization + searchOf(request)
    return engine(request, reply)
  }
  app.get(ROUTES.authorization, authorize)
  app.get('/oauth', authorize)
  app.get<{ Params: { uid: string } }>(`${ROUTES.authorization}/:uid`, async (request, reply) => {
    const { uid } = request.params
    const { [resumeCookie(deps.config)]: bound } = parseCookie(request.headers.cookie ?? '')
    if (bound !== uid) return reply.redirect(errorPage('request_expired'), 303)
    const unit = unitFor(deps, request)
    const direction = await direct(unit, uid, issuer.current().scopes)
    reply.header('cache-control', 'no-store')
    if ('error' in direction) return reply.redirect(errorPage(direction.error), 303)
    if ('to' in direction) return reply.redirect(direction.to, 303)
    unit.resumed = direction.resume
    return serve(deps, issuer, request, reply, unit)
  })
  for (const url of [ROUTES.token, ROUTES.revocation]) app.route({ method: ['POST', 'OPTIONS'], url, handler: engine })
  app.route({ method: ['GET', 'POST'], url: ROUTES.end_session, handler: engine })
  app.post(CONFIRM_PATH, engine)
  app.get(`${ROUTES.end_session}/success`, engine)
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

async function serve(
  deps: OpenDeps,
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
  unit = unitFor(deps, request),
): Promise<void> {
  const { scope } = request.query as Query
  const snapshot = await issuer.knowing(typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [])
  const { raw } = request
  const url = new URL(deps.config.url)
  raw.headers['x-forwarded-proto'] = url.protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = url.host
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.raw.setHeader('x-request-id', request.id)
  await runUnit(unit, () => snapshot.handle(raw, reply.raw))
}

function unitFor(deps: OpenDeps, request: FastifyRequest): Unit {
  return new Unit(
    { ...deps, log: request.log },
    {
      cookie: new CookieJar(deps.config, request.headers.cookie).read('session'),
      visitor: () => visitorOf(deps.config, request),
      path: request.url.split('?')[0] ?? '',
    },
  )
}

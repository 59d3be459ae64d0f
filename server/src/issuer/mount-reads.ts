import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenDeps } from '../deps.ts'
import { noteSecretUse, verifyClientSecret } from '../slices/clients/door.ts'
import { allowOrigin, openToAll, preflight } from './cors.ts'
import { presentedBearer, presentedClient } from './credentials.ts'
import { addressOf } from './doctor.ts'
import { CONSENT_PATH, ROUTES } from './paths.ts'
import { introspectionOf, liveToken, userinfoOf } from './reads.ts'
import { type EngineHouse, serveEngine, unitFor } from './serve-engine.ts'

/** Seconds for which keys and discovery may be cached: far less than a successor is published before it signs. */
const CACHED = 600
type Form = URLSearchParams | undefined

/** The engine's reads, answered here from the same tables: they are asked for far more often than all else (oidc.md §4.7). */
export function mountReads(app: FastifyInstance, house: EngineHouse): void {
  const { issuer } = house
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(body as string)),
  )
  publish(app, ROUTES.jwks, 'application/jwk-set+json; charset=utf-8', () => issuer.current().jwks)
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    publish(app, `/.well-known/${name}`, 'application/json; charset=utf-8', () => issuer.current().discovery)
  }
  app.options(ROUTES.userinfo, (request, reply) => preflight(request, reply, 'GET, POST'))
  app.route<{ Body: Form }>({
    method: ['GET', 'POST'],
    url: ROUTES.userinfo,
    handler: (request, reply) => userinfo(house, request, reply),
  })
  app.post<{ Body: Form }>(ROUTES.introspection, (request, reply) => introspect(house, request, reply))
  // A form that a person is sent with comes from another site, so its cookies stay behind; a GET brings them.
  const asAddress = (url: string) => (request: FastifyRequest<{ Body: Form }>, reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').redirect(`${url}?${request.body ?? ''}`, 303)
  for (const url of [ROUTES.authorization, CONSENT_PATH]) app.post(url, asAddress(ROUTES.authorization))
  app.post(ROUTES.end_session, asAddress(ROUTES.end_session))
}

function publish(app: FastifyInstance, url: string, type: string, body: () => string): void {
  app.options(url, (request, reply) => preflight(request, reply, 'GET'))
  app.get(url, async (_, reply) => {
    openToAll(reply)
    return reply.header('cache-control', `public, max-age=${CACHED}`).type(type).send(body())
  })
}

/** The engine answers instead; the form has been read here already. */
function byEngine(house: EngineHouse, request: FastifyRequest<{ Body: Form }>, reply: FastifyReply) {
  Object.assign(request.raw, { body: request.body?.toString() ?? '' })
  return serveEngine(house, request, reply, unitFor(house, request))
}

/** OpenID Connect Core §5.3, RFC 6750 §3. */
async function userinfo(house: EngineHouse, request: FastifyRequest<{ Body: Form }>, reply: FastifyReply) {
  const { deps, clients, refusals } = house
  // A token that is bound to a key comes with a proof, which the engine checks (RFC 9449 §7).
  if (/^dpop /i.test(request.headers.authorization ?? '') || request.headers.dpop)
    return byEngine(house, request, reply)
  reply.header('cache-control', 'no-store')
  const presented = presentedBearer(request, request.body)
  if ('error' in presented) return challenge(deps, reply, presented.error)
  const token = await liveToken(deps, presented.token)
  if (token?.row.kind !== 'AccessToken' || token.payload.aud || token.payload.jkt) {
    return challenge(deps, reply, 'invalid_token')
  }
  if (!(await allowOrigin(clients, request, reply, token.row.client_id))) {
    const { client_id } = token.row
    await refusals.note({ client_id, reason: 'origin', detail: addressOf(request.headers.origin) })
    return reply.code(400).send({ error: 'invalid_request', error_description: 'origin not allowed for this client' })
  }
  if (!token.scopes.includes('openid')) return challenge(deps, reply, 'insufficient_scope')
  // Returned, not sent: Fastify would watch over the end of an answer that a handler has sent itself.
  return userinfoOf(token, deps.config.url)
}

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403, none: 401 } as const

function challenge(deps: OpenDeps, reply: FastifyReply, error: keyof typeof STATUS): FastifyReply {
  const parts = [`Bearer realm="${deps.config.url}"`]
  // Somebody who showed nothing is told what to show, and no error (RFC 6750 §3.1).
  if (error !== 'none') parts.push(`error="${error}"`)
  if (error === 'insufficient_scope') parts.push('scope="openid"')
  openToAll(reply)
  reply.header('www-authenticate', parts.join(', ')).header('access-control-expose-headers', 'WWW-Authenticate')
  return reply.code(STATUS[error]).send({ error: error === 'none' ? 'invalid_token' : error })
}

/** RFC 7662: only for apps that can prove who they are. */
async function introspect(house: EngineHouse, request: FastifyRequest<{ Body: Form }>, reply: FastifyReply) {
  const { body } = request
  // An empty one is none: the engine would then let in whoever is not asked for a secret (§2.1).
  if (body?.getAll('client_assertion').some(Boolean)) return byEngine(house, request, reply)
  const { deps, clients, refusals } = house
  reply.header('cache-control', 'no-store')
  const credentials = presentedClient(request, body)
  if ('error' in credentials) return reply.code(400).send(credentials)
  const client = await clients.find(credentials.client_id)
  const now = deps.clock.now()
  const which = client && verifyClientSecret(client, credentials.client_secret, now)
  if (!client?.enabled || !which) {
    if (client?.enabled) await refusals.note({ client_id: client.client_id, reason: 'secret_wrong' })
    reply.header('www-authenticate', `Basic realm="${deps.config.url}"`)
    return reply.code(401).send({ error: 'invalid_client', error_description: 'client authentication failed' })
  }
  const note = which === 'current' && noteSecretUse(client, now)
  if (note) await deps.transaction(note)
  const tokens = body?.getAll('token') ?? []
  if (tokens.length !== 1 || !tokens[0]) {
    return reply.code(400).send({ error: 'invalid_request', error_description: 'token must be given once' })
  }
  return await introspectionOf(deps, house.issuer.current().published, tokens[0], client.client_id)
}

import { type Problem, problem } from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { visitorOf } from '../edge/fence.ts'
import { toProblem } from '../edge/problems.ts'
import {
  allowReading,
  clientForIssuer,
  endRegistration,
  type IssuerClient,
  type Presented,
  type Registered,
  registerClient,
  replaceRegistration,
} from '../slices/clients/door.ts'
import { grantTypesOf } from './client-metadata.ts'
import { presentedBearer } from './credentials.ts'
import { ROUTES } from './paths.ts'
import type { EngineHouse } from './serve-engine.ts'

type One = { Params: { client_id: string } }

/**
 * Programs that register apps (RFC 7591) and change what they have registered (RFC 7592). Not by the engine, which knows
 * neither organisations nor our rules for apps: those of the developer area are applied, for the member behind the token.
 */
export function mountRegistration(app: FastifyInstance, { deps }: EngineHouse, limit: (ip: string) => Promise<void>) {
  app.setErrorHandler((error, request, reply) => refuse(request, reply, toProblem(error)))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await limit(request.ip)
  })
  const presented = (request: FastifyRequest): Presented => {
    const shown = presentedBearer(request, undefined)
    if ('error' in shown) throw problem('unauthenticated')
    return { token: shown.token, visitor: visitorOf(deps.config, request) }
  }
  /** What stands there now, whoever changed it. */
  const answer = async (client_id: string, made: Partial<Registered>) => {
    const client = await clientForIssuer(deps.db, client_id)
    if (!client) throw problem('unauthenticated')
    return { ...metadataOf(client), ...answered(made), registration_client_uri: addressOf(client_id) }
  }
  const addressOf = (client_id: string) => `${deps.config.url}${ROUTES.registration}/${client_id}`

  app.post(ROUTES.registration, async (request, reply) => {
    const made = await deps.transaction((tx) => registerClient(tx, presented(request), request.body))
    return reply.code(201).send(await answer(made.client_id, made))
  })
  app.get<One>(`${ROUTES.registration}/:client_id`, async (request) => {
    const { client_id } = request.params
    const shown = presented(request)
    await allowReading(deps, shown, client_id)
    return await answer(client_id, { registration_access_token: shown.token })
  })
  app.put<One>(`${ROUTES.registration}/:client_id`, async (request) => {
    const { client_id } = request.params
    const shown = presented(request)
    const change = { client_id, metadata: request.body }
    const made = await deps.transaction((tx) => replaceRegistration(tx, shown, change))
    return await answer(client_id, { ...made, registration_access_token: shown.token })
  })
  app.delete<One>(`${ROUTES.registration}/:client_id`, async (request, reply) => {
    await deps.transaction((tx) => endRegistration(tx, presented(request), request.params.client_id))
    return reply.code(204).send()
  })
}

function answered({ client_secret, registration_access_token }: Partial<Registered>) {
  return {
    ...(client_secret ? { client_secret, client_secret_expires_at: 0 } : {}),
    registration_access_token,
  }
}

/** An app in the words of the standard. */
function metadataOf(client: IssuerClient) {
  const present = {
    client_uri: client.home_page_url,
    policy_uri: client.privacy_policy_url,
    jwks: client.jwks,
    jwks_uri: client.jwks_uri,
    backchannel_logout_uri: client.backchannel_logout_uri,
  }
  return {
    client_id: client.client_id,
    client_name: client.name,
    application_type: client.type === 'native' ? 'native' : 'web',
    redirect_uris: client.redirect_uris,
    response_types: client.redirect_uris.length > 0 ? ['code'] : [],
    grant_types: grantTypesOf(client.type, client.redirect_uris.length > 0),
    scope: client.scopes.join(' '),
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    subject_type: 'public',
    post_logout_redirect_uris: client.post_logout_redirect_uris,
    dpop_bound_access_tokens: client.dpop_bound_access_tokens,
    require_pushed_authorization_requests: client.require_pushed_authorization_requests,
    ...Object.fromEntries(Object.entries(present).filter(([, value]) => value !== null)),
  }
}

/** RFC 7591 §3.2.2, RFC 6750 §3. */
function refuse(request: FastifyRequest, reply: FastifyReply, refused: Problem): FastifyReply {
  const { code, message, status, fields = {}, retry_after } = refused
  if (code === 'unauthenticated') {
    const shown = request.headers.authorization ? ', error="invalid_token"' : ''
    reply.header('www-authenticate', `Bearer realm="registration"${shown}`)
    return reply.code(401).send({ error: 'invalid_token', error_description: 'the token is missing, used up or over' })
  }
  if (retry_after !== undefined) reply.header('retry-after', String(Math.ceil(retry_after)))
  if (status >= 500) request.log.error({ err: refused.cause ?? refused }, code)
  if (status !== 400)
    return reply
      .code(status)
      .send({ error: status < 500 ? 'invalid_request' : 'server_error', error_description: message })
  const wrong = Object.entries(fields).map(([field, why]) => `${field}: ${why}`)
  const error = wrong.some((one) => one.startsWith('redirect_uri')) ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  return reply.code(400).send({ error, error_description: wrong.join(', ') || message })
}

import { LIMITS, type Problem, problem } from '@vrata/contract'
import { TLS_SUBJECTS } from '@vrata/contract/client-certificates'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authorizeRead,
  deleteRegistration,
  type RegisteredClient,
  type RegistrationCredentials,
  registerClient,
  updateRegistration,
} from '../../features/client-registration/public.ts'
import { findIssuerClient, type IssuerClient, withSectorDocument } from '../../features/clients/public.ts'
import { ipOf } from '../../http/client-ip.ts'
import { anonymousActor } from '../../http/guards/request-guards.ts'
import { toProblem } from '../../http/problems.ts'
import { presentedBearer } from '../endpoints/credentials.ts'
import { sendOAuthError } from '../endpoints/oauth-errors.ts'
import type { IssuerContext } from '../endpoints/serve-provider.ts'
import { ROUTES } from '../paths.ts'
import { grantTypesOf } from '../provider/clients/client-metadata.ts'

type OfClient = { Params: { client_id: string } }

/**
 * Dynamic client registration (RFC 7591) and management (RFC 7592). Not by oidc-provider, because the rules of the
 * developer area apply, with the permission of the member who has issued the token (decision 0031).
 */
export function mountRegistration(app: FastifyInstance, { deps }: IssuerContext, limit: (ip: string) => void) {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toProblem(error)))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    limit(ipOf(request))
  })
  const presented = (request: FastifyRequest): RegistrationCredentials => {
    const bearer = presentedBearer(request, undefined)
    if ('error' in bearer) throw problem('unauthenticated')
    return { token: bearer.token, visitor: anonymousActor(deps, request) }
  }
  /** The client information response (RFC 7591 §3.2.1). */
  const informationOf = async (client_id: string, registered: Partial<RegisteredClient>) => {
    const client = await findIssuerClient(deps.db, client_id)
    if (!client) throw problem('unauthenticated')
    return {
      ...metadataOf(client, deps.config.url),
      ...credentialsOf(registered),
      registration_client_uri: uriOf(client_id),
    }
  }
  const uriOf = (client_id: string) => `${deps.config.url}${ROUTES.registration}/${client_id}`

  const limited = { bodyLimit: LIMITS.json_body_bytes }

  app.post(ROUTES.registration, limited, async (request, reply) => {
    const registered = await withSectorDocument(deps, (tx, document) =>
      registerClient(tx, presented(request), request.body, document),
    )
    return reply.code(201).send(await informationOf(registered.client_id, registered))
  })
  app.get<OfClient>(`${ROUTES.registration}/:client_id`, async (request) => {
    const { client_id } = request.params
    const bearer = presented(request)
    await authorizeRead(deps, bearer, client_id)
    return await informationOf(client_id, { registration_access_token: bearer.token })
  })
  app.put<OfClient>(`${ROUTES.registration}/:client_id`, limited, async (request) => {
    const { client_id } = request.params
    const bearer = presented(request)
    const registered = await withSectorDocument(deps, (tx, document) =>
      updateRegistration(tx, bearer, { client_id, metadata: request.body, document }),
    )
    return await informationOf(client_id, { ...registered, registration_access_token: bearer.token })
  })
  app.delete<OfClient>(`${ROUTES.registration}/:client_id`, async (request, reply) => {
    await deps.transaction((tx) => deleteRegistration(tx, presented(request), request.params.client_id))
    return reply.code(204).send()
  })
}

function credentialsOf({ client_secret, registration_access_token }: Partial<RegisteredClient>) {
  return {
    ...(client_secret ? { client_secret, client_secret_expires_at: 0 } : {}),
    registration_access_token,
  }
}

/** Client metadata (RFC 7591 §2). */
function metadataOf(client: IssuerClient, url: string) {
  const present = {
    client_uri: client.home_page_url,
    policy_uri: client.privacy_policy_url,
    tos_uri: client.terms_of_service_url,
    logo_uri: client.icon && `${url}/v1/media/${encodeURIComponent(client.icon)}`,
    jwks: client.jwks,
    jwks_uri: client.jwks_uri,
    backchannel_logout_uri: client.backchannel_logout_uri,
    frontchannel_logout_uri: client.frontchannel_logout_uri,
    initiate_login_uri: client.initiate_login_uri,
    sector_identifier_uri: client.sector_identifier_uri,
    token_endpoint_auth_signing_alg: client.token_endpoint_auth_signing_alg,
    request_object_signing_alg: client.request_object_signing_alg,
    authorization_signed_response_alg: client.authorization_signed_response_alg,
    userinfo_signed_response_alg: client.userinfo_signed_response_alg,
    introspection_signed_response_alg: client.introspection_signed_response_alg,
    ...Object.fromEntries(TLS_SUBJECTS.map((name) => [name, client[name]])),
    backchannel_token_delivery_mode: client.backchannel_token_delivery_mode,
    backchannel_client_notification_endpoint: client.backchannel_client_notification_endpoint,
    backchannel_authentication_request_signing_alg: client.backchannel_authentication_request_signing_alg,
  }
  return {
    client_id: client.client_id,
    client_name: client.name,
    application_type: client.type === 'native' ? 'native' : 'web',
    redirect_uris: client.redirect_uris,
    response_types: client.redirect_uris.length > 0 ? ['code'] : [],
    grant_types: grantTypesOf(client),
    scope: client.scopes.join(' '),
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    subject_type: client.subject_type,
    post_logout_redirect_uris: client.post_logout_redirect_uris,
    frontchannel_logout_session_required: client.frontchannel_logout_session_required,
    dpop_bound_access_tokens: client.dpop_bound_access_tokens,
    tls_client_certificate_bound_access_tokens: client.tls_client_certificate_bound_access_tokens,
    require_pushed_authorization_requests: client.require_pushed_authorization_requests,
    require_signed_request_object: client.require_signed_request_object,
    ...Object.fromEntries(Object.entries(present).filter(([, value]) => value !== null)),
  }
}

/** RFC 7591 §3.2.2, RFC 6750 §3. */
function sendError(request: FastifyRequest, reply: FastifyReply, rejected: Problem): FastifyReply {
  const { code, message, status, fields = {} } = rejected
  // Also for a client that does not exist any more while its rows are being deleted (RFC 7592 §2).
  if (code === 'unauthenticated' || code === 'not_found') {
    const error = request.headers.authorization ? ', error="invalid_token"' : ''
    reply.header('www-authenticate', `Bearer realm="registration"${error}`)
    return reply.code(401).send({ error: 'invalid_token', error_description: 'the token is missing, used up or over' })
  }
  if (status !== 400) return sendOAuthError(request, reply, rejected)
  // Rules of clients say `scopes`, metadata `scope`.
  const descriptions = Object.entries(fields).map(
    ([field, reason]) => `${field === 'scopes' ? 'scope' : field}: ${reason}`,
  )
  const error = descriptions.some((description) => description.startsWith('redirect_uri'))
    ? 'invalid_redirect_uri'
    : 'invalid_client_metadata'
  return reply.code(400).send({ error, error_description: descriptions.join(', ') || message })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import type { ClientError } from '../../features/client-diagnostics/public.ts'
import {
  disabledProblem,
  type IssuerClient,
  isTlsMethod,
  recordSecretUse,
  verifyClientSecret,
} from '../../features/clients/public.ts'
import { thumbprintOf } from '../../lib/certificates.ts'
import type { ClientCertificate } from '../certificates/client-certificate.ts'
import { uriWithoutSecrets } from '../diagnostics/client-errors.ts'
import { CACHED_FOR } from '../keys/signing-keys.ts'
import { ROUTES } from '../paths.ts'
import { acceptsIntrospectionJwt } from '../provider/compat/compat.ts'
import {
  introspectionOf,
  type LiveToken,
  liveToken,
  liveTokenWithClaims,
  refusedToken,
  userinfoOf,
} from '../tokens/live-tokens.ts'
import { allowAnyOrigin, allowOrigin, preflight } from './cors.ts'
import { misplacedToken, presentedBearer, presentedClient } from './credentials.ts'
import { formOf, type IssuerContext, providerRequestFor, serveProvider } from './serve-provider.ts'

/** Endpoints that are answered without oidc-provider, because they are called most often (protocol §4.7). */
export function mountNativeEndpoints(app: FastifyInstance, context: IssuerContext): void {
  const { provider } = context
  publishDocument(app, ROUTES.jwks, 'application/jwk-set+json; charset=utf-8', () => provider.snapshot().jwks)
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    publishDocument(app, `/.well-known/${name}`, 'application/json; charset=utf-8', () => provider.snapshot().discovery)
  }
  app.options(ROUTES.userinfo, (request, reply) => preflight(request, reply, 'GET, POST'))
  app.route({
    method: ['GET', 'POST'],
    url: ROUTES.userinfo,
    handler: (request, reply) => userinfo(context, request, reply),
  })
  app.post(ROUTES.introspection, (request, reply) => introspect(context, request, reply))
}

function publishDocument(app: FastifyInstance, url: string, type: string, body: () => string): void {
  app.options(url, (request, reply) => preflight(request, reply, 'GET'))
  app.get(url, async (_, reply) => {
    allowAnyOrigin(reply)
    return reply.header('cache-control', `public, max-age=${CACHED_FOR}`).type(type).send(body())
  })
}

function passToProvider(context: IssuerContext, request: FastifyRequest, reply: FastifyReply) {
  return serveProvider(context, request, reply, providerRequestFor(context, request))
}

/** OpenID Connect Core §5.3, RFC 6750 §3. */
async function userinfo(context: IssuerContext, request: FastifyRequest, reply: FastifyReply) {
  const { deps, clients, clientErrors } = context
  // oidc-provider verifies DPoP proofs (RFC 9449 §7).
  if (/^dpop /i.test(request.headers.authorization ?? '') || request.headers.dpop)
    return passToProvider(context, request, reply)
  const form = formOf(request)
  const presented = presentedBearer(request, form)
  if ('error' in presented) {
    const misplaced = await liveToken(deps, misplacedToken(request, form) ?? '')
    if (misplaced) {
      const detail = 'the access token was sent twice or in the URL'
      await clientErrors.record({ client_id: misplaced.row.client_id, reason: 'userinfo_token', detail })
    }
    return challenge(deps, reply, presented.error)
  }
  const token = await liveTokenWithClaims(deps, presented.token)
  if (!token) {
    const refused = await refusedToken(deps, context.provider.snapshot().publishedKeys, presented.token)
    if (refused) await clientErrors.record({ reason: 'userinfo_token', ...refused })
    return challenge(deps, reply, 'invalid_token')
  }
  const { client_id } = token.row
  request.client_id = client_id
  if (!(await allowOrigin(clients, request, reply, client_id))) {
    await clientErrors.record({ client_id, reason: 'origin', detail: uriWithoutSecrets(request.headers.origin) })
    return reply.code(400).send({ error: 'invalid_request', error_description: 'origin not allowed for this client' })
  }
  const rejected = userinfoRejection(token, context.certificateOf(request))
  if (rejected) {
    const { error, ...recorded } = rejected
    await clientErrors.record({ client_id, ...recorded })
    return challenge(deps, reply, error)
  }
  // oidc-provider signs the response (OpenID Connect Core §5.3.2).
  if ((await clients.find(client_id))?.userinfo_signed_response_alg) return passToProvider(context, request, reply)
  // Returned and not sent, because Fastify waits for the end of a response that a handler has sent.
  return await userinfoOf(deps, token)
}

type UserinfoRejection = { error: keyof typeof STATUS } & Pick<ClientError, 'reason' | 'detail'>

function userinfoRejection(
  { row, payload, scopes }: LiveToken,
  certificate: ClientCertificate | undefined,
): UserinfoRejection | undefined {
  // RFC 9449 §7.2: a bound token is not a bearer token.
  if (payload.jkt) return { error: 'invalid_token', reason: 'dpop_missing' }
  const wrong = certificateError(payload['x5t#S256'], certificate)
  if (wrong) return { error: 'invalid_token', ...wrong }
  const reason = 'userinfo_token'
  if (row.kind !== 'AccessToken') return { error: 'invalid_token', reason, detail: 'not an access token of a user' }
  if (payload.aud) return { error: 'invalid_token', reason, detail: 'the token is for a resource' }
  if (!scopes.includes('openid')) return { error: 'insufficient_scope', reason, detail: 'scope openid is missing' }
  return undefined
}

/** A token that is bound to a certificate needs it (RFC 8705 §3). */
function certificateError(bound: string | undefined, presented: ClientCertificate | undefined) {
  if (bound === undefined) return undefined
  if (!presented) return { reason: 'certificate_missing' } as const
  if (thumbprintOf(presented.certificate) === bound) return undefined
  return { reason: 'certificate', detail: 'the access token is bound to another certificate' } as const
}

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403, none: 401 } as const

function challenge(deps: AppDeps, reply: FastifyReply, error: keyof typeof STATUS): FastifyReply {
  const parts = [`Bearer realm="${deps.config.url}"`]
  // Without credentials there is no error code (RFC 6750 §3.1).
  if (error !== 'none') parts.push(`error="${error}"`)
  if (error === 'insufficient_scope') parts.push('scope="openid"')
  allowAnyOrigin(reply)
  reply.header('www-authenticate', parts.join(', ')).header('access-control-expose-headers', 'WWW-Authenticate')
  return reply.code(STATUS[error]).send({ error: error === 'none' ? 'invalid_token' : error })
}

/** Only for clients that authenticate, public ones included (RFC 7662 §2.1). */
async function introspect(context: IssuerContext, request: FastifyRequest, reply: FastifyReply) {
  const form = formOf(request)
  // An empty assertion does not authenticate, although oidc-provider would accept a public client without authentication.
  if (form?.getAll('client_assertion').some(Boolean)) return passToProvider(context, request, reply)
  const { deps, clients, clientErrors } = context
  if (await authenticatesByCertificate(context, request, form)) return passToProvider(context, request, reply)
  const credentials = presentedClient(request, form)
  if ('error' in credentials) {
    await recordMissingCredentials(context, form?.get('client_id'))
    return reply.code(400).send(credentials)
  }
  const client = await clients.find(credentials.client_id)
  if (client) request.client_id = client.client_id
  const now = deps.clock.now()
  const which = client && verifyClientSecret(client, credentials.client_secret, now)
  if (!client?.enabled || !which) {
    if (client) await clientErrors.record({ client_id: client.client_id, reason: reasonOf(client, 'secret_wrong') })
    reply.header('www-authenticate', `Basic realm="${deps.config.url}"`)
    return reply.code(401).send({ error: 'invalid_client', error_description: 'client authentication failed' })
  }
  const write = which === 'current' && recordSecretUse(client, now)
  if (write) await deps.transaction(write)
  const tokens = form?.getAll('token') ?? []
  if (tokens.length !== 1 || !tokens[0]) {
    const { client_id } = client
    await clientErrors.record({ client_id, reason: 'token_request', detail: 'token must be given once' })
    return reply.code(400).send({ error: 'invalid_request', error_description: 'token must be given once' })
  }
  // oidc-provider signs the response (RFC 9701).
  if (acceptsIntrospectionJwt(request.headers.accept)) return passToProvider(context, request, reply)
  return await introspectionOf(deps, context.provider.snapshot().publishedKeys, tokens[0], client.client_id)
}

/** Whether the client sends no secret and authenticates with its TLS certificate, which oidc-provider verifies (RFC 8705 §2). */
async function authenticatesByCertificate(
  { clients, certificateOf }: IssuerContext,
  request: FastifyRequest,
  form: URLSearchParams | undefined,
): Promise<boolean> {
  const { headers } = request
  const ids = form?.getAll('client_id') ?? []
  if (headers.authorization || form?.has('client_secret') || ids.length !== 1) return false
  // A caller without any authentication gets 400 (RFC 9701 §5).
  if (!certificateOf(request)) return false
  const client = await clients.find(ids[0] as string)
  return client !== undefined && isTlsMethod(client.token_endpoint_auth_method)
}

/** Why a client that sent no valid secret was rejected. */
function reasonOf(
  { enabled, approval, token_endpoint_auth_method: method }: IssuerClient,
  withSecret: 'secret_missing' | 'secret_wrong',
) {
  if (!enabled) return disabledProblem({ approval })
  if (isTlsMethod(method)) return 'certificate_missing'
  return method === 'private_key_jwt' ? 'assertion_missing' : withSecret
}

async function recordMissingCredentials({ clients, clientErrors }: IssuerContext, id: string | null | undefined) {
  const client = id ? await clients.find(id) : undefined
  if (!client) return
  await clientErrors.record({ client_id: client.client_id, reason: reasonOf(client, 'secret_missing') })
}

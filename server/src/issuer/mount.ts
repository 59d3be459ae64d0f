import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { outbound } from '../adapters/outbound-http.ts'
import type { AppDeps } from '../deps.ts'
import { ClientErrorLog } from '../features/client-diagnostics/public.ts'
import { ipOf } from '../http/client-ip.ts'
import { CookieJar } from '../http/cookies.ts'
import { limitDocuments } from '../http/guards/rate-limit.ts'
import { addWaitingRequest } from '../http/waiting-requests.ts'
import { isLoopbackUrl } from '../lib/loopback.ts'
import { certificateReader } from './certificates/client-certificate.ts'
import { mountNativeEndpoints } from './endpoints/native-endpoints.ts'
import { type IssuerContext, providerRequestFor, serveProvider } from './endpoints/serve-provider.ts'
import { continueInteraction } from './interactions/continue-interaction.ts'
import { errorPage } from './interactions/error-page.ts'
import { ClientKeys } from './keys/client-keys.ts'
import { mountFrontchannelLogout } from './logout/frontchannel-logout.ts'
import { MetadataDocuments } from './metadata-documents/metadata-documents.ts'
import { answerAuthorization } from './native/authorization-endpoint.ts'
import { mountTokenEndpoint } from './native/token-endpoint.ts'
import { CONFIRM_PATH, CONSENT_PATH, ROUTES, SIGNED_OUT_PATH } from './paths.ts'
import { ClientCache } from './provider/clients/client-cache.ts'
import { isInteractionOfBrowser } from './provider/compat/compat.ts'
import { CurrentProvider } from './provider/current-provider.ts'
import { mountRegistration } from './registration/registration.ts'
import { UnknownCommits } from './request/unknown-commits.ts'

export interface IssuerOptions {
  /** Serves the web pages, for `/oauth` and `/authorize` without an authorization request. */
  page(request: FastifyRequest, reply: FastifyReply): unknown
  /** Throws when an address has sent too many requests: each may insert a row. */
  limit(ip: string): Promise<void>
}

type Query = Record<string, string | string[] | undefined>

/** Mounts the endpoints of the issuer (protocol §4.1). */
export async function mountIssuer(app: FastifyInstance, deps: AppDeps, options: IssuerOptions): Promise<IssuerContext> {
  const provider = await CurrentProvider.open(deps)
  const clients = new ClientCache(deps.db, deps.signals)
  const toClients = outbound({ loopback: isLoopbackUrl(deps.config.url) })
  const keys = new ClientKeys(toClients)
  const limits = limitDocuments(deps.config.limits_factor)
  const documents = new MetadataDocuments(deps, { clients, outbound: toClients, limits })
  const clientErrors = new ClientErrorLog(deps)
  const unknownCommits = new UnknownCommits(deps)
  app.addHook('onClose', async () => {
    provider.close()
    clients.close()
    unknownCommits.close()
  })
  const certificateOf = certificateReader(deps.config)
  const context = { deps, provider, clients, documents, keys, clientErrors, unknownCommits, certificateOf }
  await app.register(async (scope) => mountNativeEndpoints(scope, context))
  if (deps.config.client_registration) {
    await app.register(async (scope) => mountRegistration(scope, context, options.limit))
  }
  mountFrontchannelLogout(app, deps)
  await app.register(async (scope) => mountProvider(scope, context, options))
  return context
}

function mountProvider(app: FastifyInstance, context: IssuerContext, { page, limit }: IssuerOptions): void {
  // oidc-provider parses the bodies.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_, __, done) => done(null))

  const { deps, provider } = context
  const serve = (request: FastifyRequest, reply: FastifyReply) =>
    serveProvider(context, request, reply, providerRequestFor(context, request))
  const authorize = async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    if (!isAuthorizationRequest(request)) return page(request, reply)
    await limit(ipOf(request))
    request.raw.url = ROUTES.authorization + queryOf(request)
    if (await answerAuthorization(context, request, reply)) return reply
    return serve(request, reply)
  }
  // A HEAD request must not create a code.
  const withoutHead = { exposeHeadRoute: false }
  app.get(ROUTES.authorization, withoutHead, authorize)
  app.get(CONSENT_PATH, withoutHead, authorize)
  app.get<{ Params: { uid: string } }>(`${ROUTES.authorization}/:uid`, withoutHead, async (request, reply) => {
    const { uid } = request.params
    if (!isInteractionOfBrowser(deps.config, request.headers.cookie, uid))
      return reply.redirect(errorPage('request_expired'), 303)
    const providerRequest = providerRequestFor(context, request)
    const continuation = await continueInteraction(providerRequest, uid, provider)
    reply.header('cache-control', 'no-store')
    if ('error' in continuation) return reply.redirect(errorPage(continuation.error, continuation.client_id), 303)
    if ('redirect' in continuation) {
      const cookies = new CookieJar(deps.config, request.headers.cookie)
      addWaitingRequest(cookies, uid)
      return reply.header('set-cookie', cookies.headers()).redirect(continuation.redirect, 303)
    }
    providerRequest.interaction.resumed = continuation.resume
    return serveProvider(context, request, reply, providerRequest)
  })
  app.route({ method: ['POST', 'OPTIONS'], url: ROUTES.revocation, handler: serve })
  app.route({ method: 'OPTIONS', url: ROUTES.token, handler: serve })
  void app.register(async (scope) => mountTokenEndpoint(scope, context))
  const limited = async (request: FastifyRequest, reply: FastifyReply) => {
    await limit(ipOf(request))
    return serve(request, reply)
  }
  app.post(ROUTES.pushed_authorization_request, limited)
  app.post(ROUTES.backchannel_authentication, limited)
  app.route({ method: ['POST', 'OPTIONS'], url: ROUTES.device_authorization, handler: limited })
  app.get(ROUTES.end_session, serve)
  app.post(CONFIRM_PATH, serve)
  app.get(SIGNED_OUT_PATH, serve)
}

/** Whether it is an authorization request; otherwise `/oauth` and `/authorize` are the consent page (protocol §4.1). */
function isAuthorizationRequest(request: FastifyRequest<{ Querystring: Query }>): boolean {
  const { query } = request
  if (query.response_type !== undefined || query.request_uri !== undefined) return true
  return request.url.startsWith(ROUTES.authorization) && query.uid === undefined && query.error === undefined
}

function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?')
  return at === -1 ? '' : request.url.slice(at)
}

import { problem } from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ipOf } from '../../http/client-ip.ts'
import { CookieJar } from '../../http/cookies.ts'
import { anonymousActor } from '../../http/guards/request-guards.ts'
import { failedReply, toProblem } from '../../http/problems.ts'
import { addWaitingRequest } from '../../http/waiting-requests.ts'
import { continueInteraction } from '../interactions/continue-interaction.ts'
import { errorPage } from '../interactions/error-page.ts'
import { failurePage } from '../interactions/failure-page.ts'
import { continueSignedOut } from '../logout/rp-initiated-logout.ts'
import { answerAuthorization } from '../native/authorization-endpoint.ts'
import { CONFIRM_PATH, CONSENT_PATH, ROUTES, SIGNED_OUT_PATH } from '../paths.ts'
import { isInteractionOfBrowser } from '../provider/compat/compat.ts'
import { acceptForms } from './accept-forms.ts'
import { usePathsOfRoutes } from './paths-of-routes.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'
import { type IssuerContext, providerRequestFor, serveProvider } from './serve-provider.ts'

export interface IssuerOptions {
  /** Serves the web pages, for `/oauth` and `/authorize` without an authorization request. */
  page(request: FastifyRequest, reply: FastifyReply): unknown
  /** Throws when an address has sent too many requests: each may insert a row. */
  limit(ip: string): void
}

type Query = Record<string, string | string[] | undefined>

/** The longest query that a redirect may have, in bytes. With cookies the headers of a request have at most 16 KB. */
const LONGEST_QUERY = 12 * 1024

/** Mounts the endpoints to which the browsers of users navigate. */
export function mountPageEndpoints(app: FastifyInstance, context: IssuerContext, options: IssuerOptions): void {
  usePathsOfRoutes(app)
  acceptForms(app)
  answerWithPages(app, context)
  refuseOtherMethods(app, () => mountPages(app, context, options))
}

function mountPages(app: FastifyInstance, context: IssuerContext, { page, limit }: IssuerOptions): void {
  const { deps, provider } = context
  const serve = (request: FastifyRequest, reply: FastifyReply) =>
    serveProvider(context, request, reply, providerRequestFor(context, request))
  const authorize = async (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => {
    if (!isAuthorizationRequest(request)) return page(request, reply)
    limit(ipOf(request))
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
  for (const url of [ROUTES.authorization, CONSENT_PATH]) app.post(url, redirectAsGet(ROUTES.authorization))
  // Each may insert a row, too.
  const limited = { onRequest: async (request: FastifyRequest) => limit(ipOf(request)) }
  app.get(ROUTES.end_session, limited, serve)
  app.post(ROUTES.end_session, redirectAsGet(ROUTES.end_session))
  app.post(CONFIRM_PATH, limited, async (request, reply) => {
    const providerRequest = providerRequestFor(context, request)
    const signedOut = await continueSignedOut(providerRequest)
    if (signedOut === undefined) return serveProvider(context, request, reply, providerRequest)
    return reply.headers({ 'cache-control': 'no-store', 'clear-site-data': '"cache"' }).redirect(signedOut, 303)
  })
  app.get(SIGNED_OUT_PATH, serve)
}

/** A cross-site POST has no SameSite=Lax cookies; the same request as GET has (decision 0040). */
function redirectAsGet(url: string) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const query = new URLSearchParams((request.body as string | undefined) ?? '').toString()
    if (query.length > LONGEST_QUERY) throw problem('payload_too_large')
    return reply.header('cache-control', 'no-store').redirect(`${url}?${query}`, 303)
  }
}

/** Errors of this scope are pages that a user can read. */
function answerWithPages(app: FastifyInstance, { deps }: IssuerContext): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toProblem(error)
    const { locale } = anonymousActor(deps, request)
    const { html, policy } = failurePage({ locale, look: deps.branding.public() }, failure.code)
    return failedReply(request, reply, failure)
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(html)
  })
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

import { clients, type ProblemCode, problem } from '@vrata/contract'
import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isReferenceViolation } from '../../db/dialect.ts'
import { CookieJar } from '../../http/cookies.ts'
import { draftCommitError } from '../diagnostics/client-errors.ts'
import { oauthErrorOf, RETRY_AFTER } from '../endpoints/oauth-errors.ts'
import { errorPage, isPageRoute, isSignOut } from '../interactions/error-page.ts'
import { failurePage } from '../interactions/failure-page.ts'
import {
  checkPostLogoutRedirectUri,
  redirectSignedOut,
  redirectToFrontchannelLogout,
} from '../logout/rp-initiated-logout.ts'
import { ROUTES } from '../paths.ts'
import type { DraftedClientError } from '../request/client-error-draft.ts'
import { currentRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { introspectionOf, liveToken, refusedToken } from '../tokens/live-tokens.ts'
import { isTokenUsable } from '../tokens/store.ts'
import { reportReplay } from '../tokens/token-models.ts'
import { deleteTokensOfGrant } from '../tokens/token-writes.ts'
import {
  introspectingClient,
  removeTypeOfEmptyBody,
  setIntrospection,
  withoutProviderCookies,
} from './compat/compat.ts'
import { isUnauthorizedClient } from './compat/compat-errors.ts'
import { AlreadyConsumedError, RedirectUriRemovedError, ReplayedError, SessionEndedError } from './provider-errors.ts'

/**
 * Middleware around all of oidc-provider: corrects the response and commits the writes of the request before it is sent
 * (protocol §4.7).
 */
export async function commitResponse(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const request = currentRequest()
  await next()
  try {
    await completeResponse(ctx, request)
  } catch (error) {
    await answerFailedCommit(ctx, request, error)
  }
  nameInLog(ctx, request)
}

async function completeResponse(ctx: KoaContextWithOIDC, request: ProviderRequest): Promise<void> {
  setOwnCookies(ctx, request)
  await answerIntrospection(ctx, request)
  correctErrorCode(ctx)
  redirectSignedOut(ctx)
  await checkPostLogoutRedirectUri(ctx, request)
  await redirectToFrontchannelLogout(ctx, request)
  await recordClientError(request)
  removeTypeOfEmptyBody(ctx)
  if (ctx.status >= 400) request.refuse()
  if (request.unavailable) answerUnavailable(ctx, request)
  else await request.commit()
}

/** Client, user and error of the line of the log (security §16.2.1). */
function nameInLog(ctx: KoaContextWithOIDC, { options: { logged, path } }: ProviderRequest): void {
  if (!logged) return
  if (path === ROUTES.token) logged.grant_type = offered(ctx.oidc?.params?.grant_type)
  const { error } = (ctx.body ?? {}) as Partial<ErrorOut>
  if (ctx.oidc?.client) logged.client_id = ctx.oidc.client.clientId
  if (ctx.oidc?.account) logged.user_id = ctx.oidc.account.accountId
  if (ctx.status >= 400 && error) logged.problem = error
}

/** Any other text of a request would be a label of its own in the metrics. */
function offered(grant_type: unknown): string {
  return clients.GRANT_TYPES.find((one) => one === grant_type) ?? 'other'
}

function correctErrorCode(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as ErrorOut | undefined
  if (ctx.status === 400 && body && isUnauthorizedClient(body)) ctx.body = { ...body, error: 'unauthorized_client' }
}

/** oidc-provider has authenticated the client; the response is that of the native endpoint. */
async function answerIntrospection(ctx: KoaContextWithOIDC, { deps, options }: ProviderRequest): Promise<void> {
  const client_id = introspectingClient(ctx)
  if (client_id === undefined) return
  const token = String(ctx.oidc.params?.token)
  await setIntrospection(ctx, await introspectionOf(deps, options.publishedKeys, token, client_id))
}

/** Only for clients that exist. A read that fails does not change the response, unless the database is unavailable. */
async function recordClientError(request: ProviderRequest): Promise<void> {
  const { options, clientError } = request
  const { error } = clientError
  if (!error) return
  try {
    const client_id = await clientOf(request, error)
    if (client_id === undefined || !(await options.clients.find(client_id))) return
    const { reason, detail = '' } = error
    await options.clientErrors.record({ client_id, reason, detail })
  } catch (failure) {
    request.failed(failure)
  }
}

async function clientOf(
  { deps, reads, options }: ProviderRequest,
  error: DraftedClientError,
): Promise<string | undefined> {
  if ('client_id' in error) return error.client_id
  if ('resource' in error) return (await reads.resource(error.resource))?.client_id
  const live = await liveToken(deps, error.access_token)
  return live?.row.client_id ?? (await refusedToken(deps, options.publishedKeys, error.access_token))?.client_id
}

async function answerFailedCommit(ctx: KoaContextWithOIDC, request: ProviderRequest, failure: unknown): Promise<void> {
  ctx.response.remove('set-cookie')
  // A row that the tokens reference, such as the client, was deleted meanwhile.
  const error = isReferenceViolation(failure) ? new SessionEndedError() : failure
  if (error instanceof RedirectUriRemovedError) return redirect(ctx, errorPage('invalid_redirect_uri'))
  if (error instanceof errors.OIDCProviderError) {
    if (error instanceof AlreadyConsumedError) {
      // The first use was a commit of this process whose tokens were not sent (decision 0035).
      if (await undoUnknownCommit(request)) return answerUnavailable(ctx, request)
      await revokeConsumedGrant(request)
    }
    if (!(error instanceof ReplayedError)) await writeKept(request)
    if (isPageRoute(ctx)) return redirect(ctx, errorPage('request_expired', undefined, isSignOut(ctx)))
    draftCommitError(request, ctx, error)
    await recordClientError(request)
    ctx.status = error.statusCode
    ctx.body = { error: error.error, error_description: error.error_description }
    return
  }
  request.failed(error)
  if (request.unavailable) return answerUnavailable(ctx, request)
  answerFailure(ctx, request, 'internal')
}

/** Whether the first use was undone, also meanwhile. */
async function undoUnknownCommit(request: ProviderRequest): Promise<boolean> {
  const { deps, tokens, options } = request
  try {
    for (const hash of tokens.restores.keys())
      if ((await options.unknownCommits.undo(hash)) || (await isTokenUsable(deps.db, hash))) return true
  } catch (error) {
    request.failed(error)
  }
  return request.unavailable
}

/** A token that is used twice may be stolen, so all tokens of its grant are deleted (RFC 9700 §4.14.2). */
async function revokeConsumedGrant(request: ProviderRequest): Promise<void> {
  const { consumedGrantId } = request.tokens
  if (!consumedGrantId) return
  await request.deps
    .transaction(async (deps) => {
      if (await deleteTokensOfGrant(deps, consumedGrantId)) await reportReplay(request, deps, consumedGrantId)
    })
    .catch((error) => request.failed(error))
}

/** Writes the record of the client's authentication that the commit would have written. */
async function writeKept(request: ProviderRequest): Promise<void> {
  const { deps, keptWrites } = request
  if (keptWrites.length === 0) return
  await deps
    .transaction(async (tx) => {
      for (const write of keptWrites) await write(tx)
    })
    .catch((error) => request.failed(error))
}

/** Only sign-in and refresh set the session cookie (decision 0033); a sign-out clears it. */
function setOwnCookies(ctx: KoaContextWithOIDC, { deps, signedOut }: ProviderRequest): void {
  const { config } = deps
  const cookies = withoutProviderCookies(config, [ctx.response.headers['set-cookie'] ?? []].flat().map(String))
  if (signedOut) {
    const jar = new CookieJar(config, undefined)
    jar.clear('session')
    jar.clear('access')
    cookies.push(...jar.headers())
    // As after our own sign-out: the browser forgets cached pages.
    ctx.set('clear-site-data', '"cache"')
  }
  if (cookies.length > 0) ctx.set('set-cookie', cookies)
  else ctx.remove('set-cookie')
}

function answerUnavailable(ctx: KoaContextWithOIDC, request: ProviderRequest): void {
  ctx.set('retry-after', RETRY_AFTER)
  answerFailure(ctx, request, 'unavailable')
}

/** A page for the browser of a user, and an OAuth error for a client. */
function answerFailure(ctx: KoaContextWithOIDC, { deps, options }: ProviderRequest, code: ProblemCode): void {
  const failure = problem(code)
  ctx.remove('location')
  ctx.status = failure.status
  if (!isPageRoute(ctx)) {
    ctx.body = oauthErrorOf(failure)
    return
  }
  const page = failurePage({ locale: options.visitor().locale, look: deps.branding.public() }, code)
  ctx.set('content-security-policy', page.policy)
  ctx.type = 'html'
  ctx.body = page.html
}

function redirect(ctx: KoaContextWithOIDC, path: string): void {
  ctx.status = 303
  ctx.redirect(path)
}

import { paths, type RequestError } from '@vrata/contract'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { DocumentRejected } from '../metadata-documents/document-rejected.ts'
import { ROUTES } from '../paths.ts'
import { type ErrorText, isErrorText } from '../provider/compat/compat-errors.ts'
import { ClientDisabled } from '../provider/provider-errors.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

const SIGN_OUT_ROUTES: readonly string[] = ['end_session', 'end_session_confirm', 'end_session_success']
const PAGE_ROUTES: ReadonlySet<string> = new Set(['authorization', 'resume', ...SIGN_OUT_ROUTES])

/** Whether a user's browser navigates to the route; others are called by clients. */
export function isPageRoute(ctx: KoaContextWithOIDC): boolean {
  return PAGE_ROUTES.has(ctx.oidc?.route ?? '')
}

/** Whether the request asks to sign a person out. */
export function isSignOut(ctx: KoaContextWithOIDC): boolean {
  return SIGN_OUT_ROUTES.includes(ctx.oidc?.route ?? '')
}

/**
 * Hook `renderError`: redirects the browser to our error page and never to an address of the request (RFC 9700 §4.11).
 * Clients get the error as JSON.
 */
export async function renderError(
  request: ProviderRequest,
  ctx: KoaContextWithOIDC,
  out: object,
  error: Error,
): Promise<void> {
  if (!isPageRoute(ctx)) {
    ctx.body = out
    return
  }
  ctx.status = 303
  // The question is asked again when it has expired, and to who comes with a form that was not made for this session.
  const isUnasked = ctx.oidc?.route === 'end_session_confirm' && error instanceof errors.InvalidRequest
  if (isUnasked) return ctx.redirect(ROUTES.end_session)
  ctx.redirect(errorPage(pageErrorOf(request, ctx, error), ctx.oidc.client?.clientId, isSignOut(ctx)))
}

/** Path of the error page; it names the client where there is one. After a refused sign-out it tells the user that they are still signed in. */
export function errorPage(error: RequestError, client_id?: string, signOut = false): string {
  return paths.consentError({ error, client_id: client_id || undefined, ...(signOut ? { sign_out: 'true' } : {}) })
}

function pageErrorOf({ deps }: ProviderRequest, { oidc }: KoaContextWithOIDC, error: Error): RequestError {
  const says = (name: ErrorText) =>
    error instanceof errors.OIDCProviderError && isErrorText(error.error_description, name)
  if (error instanceof ClientDisabled) return error.problem
  if (error instanceof DocumentRejected) return 'invalid_client_metadata'
  // Also a hint for an app that does not exist.
  if (oidc?.route === 'end_session' && says('id_token_hint')) return 'invalid_id_token_hint'
  if (error instanceof errors.InvalidClient || error instanceof errors.InvalidClientMetadata) return 'invalid_client'
  if (says('post_logout_redirect_uri')) return 'invalid_post_logout_redirect_uri'
  if (error instanceof errors.InvalidRedirectUri) return 'invalid_redirect_uri'
  if (says('redirect_uri_missing')) return 'missing_redirect_uri'
  if (error instanceof errors.SessionNotFound || error instanceof errors.InvalidRequestUri) return 'request_expired'
  if (error instanceof errors.OIDCProviderError && error.expose) return 'invalid_request'
  deps.log.error({ err: error }, 'oidc-provider request failed')
  return 'server_error'
}

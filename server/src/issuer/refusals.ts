import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { ClientDisabled } from './client-metadata.ts'
import { unitOfWork } from './unit-of-work.ts'

/** What the error page at `/oauth?error=…` can say. Nothing else of a bad request reaches the page. */
export const PAGE_ERRORS = [
  'invalid_client',
  'client_disabled',
  'invalid_redirect_uri',
  'request_expired',
  'invalid_request',
  'server_error',
] as const
export type PageError = (typeof PAGE_ERRORS)[number]

/** Routes at which a person stands. */
export const PAGES: ReadonlySet<string> = new Set([
  'authorization',
  'resume',
  'end_session',
  'end_session_confirm',
  'end_session_success',
])

/** The session or the connection ended while tokens were being made from it. */
export class EndedMeanwhile extends errors.InvalidGrant {
  constructor() {
    super('session or connection has ended')
    this.error_description = 'session or connection has ended'
  }
}

/** Two spent the same code or refresh token at once, and this one came too late. */
export class SpentTwice extends errors.InvalidGrant {
  constructor() {
    super('already used')
    this.error_description = 'grant request is invalid'
  }
}

/** Two requests came with the same proof at once, and this one was later. */
export class ShownTwice extends errors.InvalidRequest {
  constructor() {
    super('proof was shown before')
  }
}

/**
 * Where a person stands when a request is too broken to answer to the app: a page of ours, never the address that the
 * request named (RFC 9700 §4.11). Machines get the plain error.
 */
export async function renderError(ctx: KoaContextWithOIDC, out: object, error: Error): Promise<void> {
  if (!PAGES.has(ctx.oidc?.route ?? '')) {
    ctx.body = out
    return
  }
  ctx.status = 303
  ctx.redirect(errorPage(pageError(error), ctx.oidc.client?.clientId))
}

export function errorPage(error: PageError, client_id?: string): string {
  return `/oauth?${new URLSearchParams({ error, ...(client_id ? { client_id } : {}) })}`
}

function pageError(error: Error): PageError {
  if (error instanceof ClientDisabled) return 'client_disabled'
  if (error instanceof errors.InvalidClient || error instanceof errors.InvalidClientMetadata) return 'invalid_client'
  if (error instanceof errors.InvalidRedirectUri || leadsAstray(error)) return 'invalid_redirect_uri'
  if (error instanceof errors.SessionNotFound || error instanceof errors.InvalidRequestUri) return 'request_expired'
  if (error instanceof errors.OIDCProviderError && error.expose) return 'invalid_request'
  unitOfWork().deps.log.error({ err: error }, 'the engine failed')
  return 'server_error'
}

/** The engine has a name of its own for such an address where a person signs in, and none where they sign out. */
function leadsAstray(error: Error): boolean {
  return error instanceof errors.InvalidRequest && error.error_description === 'post_logout_redirect_uri not registered'
}

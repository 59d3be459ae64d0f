import type { clientDiagnostics } from '@vrata/contract'
import { errors } from 'oidc-provider'
import { isReferenceViolation } from '../../db/dialect.ts'
import type { disabledProblem } from '../../features/clients/public.ts'

const reasons = new WeakMap<Error, clientDiagnostics.ClientErrorReason>()

/** Marks an error of ours with the reason that the client's developers read (decision 0040). */
export function withReason<E extends Error>(reason: clientDiagnostics.ClientErrorReason, error: E): E {
  reasons.set(error, reason)
  return error
}

/** The reason that {@link withReason} has set. */
export function reasonOf(error: Error): clientDiagnostics.ClientErrorReason | undefined {
  return reasons.get(error)
}

/** The client is disabled (protocol §2.5), or operators have not approved it (operators §12). */
export class ClientDisabled extends errors.InvalidClient {
  readonly client_id: string
  readonly problem: ReturnType<typeof disabledProblem>
  constructor(client_id: string, problem: ReturnType<typeof disabledProblem> = 'client_disabled') {
    super(problem === 'client_disabled' ? 'client is disabled' : 'client is not approved by the operators')
    this.client_id = client_id
    this.problem = problem
    this.status = 401
    this.statusCode = 401
  }
}

/** The client needs certificates, and the settings of the operator accept none (RFC 8705). */
export class CertificatesNotAccepted extends errors.InvalidClient {
  readonly client_id: string
  constructor(client_id: string) {
    super('this server does not accept client certificates')
    this.client_id = client_id
    this.status = 401
    this.statusCode = 401
  }
}

/** Too many requests of a client wait for one person (OpenID Connect CIBA Core §13: the provider denies the request). */
export class TooManyRequestsError extends errors.AccessDenied {
  constructor() {
    super('too many requests wait for this person')
    this.status = 403
    this.statusCode = 403
    withReason('requests_waiting', this)
  }
}

/** The absolute end of a family of refresh tokens has come (decision 0035). */
export class FamilyEndedError extends errors.InvalidGrant {
  constructor() {
    super('the refresh token has reached its absolute end')
  }
}

/** oidc-provider keeps the text of `invalid_grant` for the log; the client reads this one, too. */
class ExplainedInvalidGrant extends errors.InvalidGrant {
  constructor(text: string) {
    super(text)
    this.error_description = text
  }
}

/** The session or connection has ended, or the refresh token was revoked, while tokens were created from it. */
export class SessionEndedError extends ExplainedInvalidGrant {
  constructor() {
    super('session or connection has ended')
  }
}

/**
 * A client revokes a token of another one. With 200, which oidc-provider answers, an app that uses the credentials of another one would believe
 * that it has signed its user out; RFC 7009 §2.1 refuses the request and informs the client, with the error of RFC 6749 §5.2.
 */
export class IssuedToAnotherClient extends ExplainedInvalidGrant {
  constructor() {
    super('the token was issued to another client')
    withReason('token_request', this)
  }
}

/**
 * The subject token of a token exchange is unknown, has ended, or is not for this service; which of these, the service does
 * not learn (RFC 8693 §2.2.2).
 */
export class InvalidSubjectToken extends errors.InvalidRequest {
  constructor() {
    super('subject_token is not an access token that this service can exchange')
  }
}

/** The client or its redirect URI was removed or disabled before the authorization response was sent (security §19.21). */
export class RedirectUriRemovedError extends errors.InvalidRedirectUri {}

/** Another request has consumed the same code or refresh token first (protocol §3.1). */
export class AlreadyConsumedError extends errors.InvalidGrant {
  constructor() {
    super('already used')
    this.error_description = 'grant request is invalid'
  }
}

/** Another request has used the same client assertion, DPoP proof, pushed request or interaction first. */
export class ReplayedError extends errors.InvalidRequest {
  constructor() {
    super('the assertion, proof or request was already used')
  }
}

/** A row that the request has used without reading it has changed; nothing was written. */
export class OutdatedRowError extends Error {
  override name = 'OutdatedRowError'
}

/** Whether a commit failed because of a change by another request, so that the grant or request is refused. */
export function isConflictingCommit(error: unknown): boolean {
  return error instanceof errors.OIDCProviderError || error instanceof OutdatedRowError || isReferenceViolation(error)
}

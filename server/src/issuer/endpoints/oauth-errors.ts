import type { Problem, ProblemCode } from '@vrata/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failedReply } from '../../http/problems.ts'

/** Seconds after which a request can be repeated, while the database is unavailable. */
export const RETRY_AFTER = '2'

interface OAuthError {
  error: string
  error_description: string
}

const ERRORS: Partial<Record<ProblemCode, OAuthError>> = {
  method_not_allowed: { error: 'invalid_request', error_description: 'the endpoint does not have this method' },
  too_many_requests: {
    error: 'temporarily_unavailable',
    error_description: 'too many requests; Retry-After says how long to wait',
  },
  // Also when it is not known whether the database has committed.
  unavailable: { error: 'temporarily_unavailable', error_description: 'try again in a moment' },
}

/** RFC 6749 §5.2. The status says more where it is not 400 (RFC 9126 §2.3). */
export function sendOAuthError(request: FastifyRequest, reply: FastifyReply, failure: Problem): FastifyReply {
  return failedReply(request, reply, failure).send(oauthErrorOf(failure))
}

/** The body of an error (RFC 6749 §5.2). */
export function oauthErrorOf({ code, status, message }: Problem): OAuthError {
  const known = ERRORS[code]
  if (known) return known
  return status < 500
    ? { error: 'invalid_request', error_description: message }
    : { error: 'server_error', error_description: 'something went wrong on our side' }
}

import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'

/** Reasons for which a request of a client is rejected. The phrases explain each one and its remedy. */
export const CLIENT_ERROR_REASONS = [
  'client_disabled',
  'client_not_approved',
  /** At the authorization endpoint. */
  'redirect_uri',
  'scope',
  'pkce_missing',
  'pkce_method',
  'response_type',
  'response_mode',
  'authorization_request',
  /** At the end-session endpoint (OpenID Connect RP-Initiated Logout §2). */
  'post_logout_redirect_uri',
  'id_token_hint',
  'end_session_request',
  /** The user may not use the client (operators §10). */
  'no_access',
  /** Pushed (RFC 9126) or signed (RFC 9101) authorization requests. */
  'par_required',
  'request_uri',
  'request_object',
  'request_object_missing',
  'request_object_lifetime',
  /** A resource (RFC 8707) that does not exist, or of which no scope is granted. */
  'resource',
  /** A request of an unregistered client that names an API of this one (decision 0031). */
  'unregistered_client',
  /** At the token endpoint, and at other endpoints with client authentication. */
  'origin',
  'secret_missing',
  'secret_wrong',
  /** Client authentication by key (RFC 7523). */
  'assertion_missing',
  'assertion',
  'assertion_audience',
  /** A signature with an algorithm that the security profile excludes. */
  'algorithm',
  /** DPoP-bound tokens (RFC 9449). */
  'dpop_missing',
  'dpop_proof',
  /** TLS client certificates (RFC 8705). */
  'certificate_missing',
  'certificate',
  'code',
  'code_verifier',
  'redirect_uri_changed',
  'refresh_token',
  /** The token that a service presents for exchange (RFC 8693). */
  'subject_token',
  'grant_type',
  'token_request',
  /** At the userinfo endpoint. */
  'userinfo_token',
  /** At the revocation endpoint: a JWT access token. */
  'token_type',
  /** Backchannel authentication requests (OpenID Connect CIBA Core §13). */
  'login_hint',
  'binding_message',
  'requests_waiting',
  'ciba_request',
] as const
export type ClientErrorReason = (typeof CLIENT_ERROR_REASONS)[number]

export const clientError = z.object({
  reason: z.enum(CLIENT_ERROR_REASONS),
  /** The rejected value, such as the redirect URI, scope or origin, or a message of the protocol; may be empty. */
  detail: z.string(),
  /** The detail is an address that can be registered as it is. */
  addable: z.boolean(),
  /** Number of occurrences; a lower bound. */
  times: z.number().int(),
  first_at: f.time,
  last_at: f.time,
})
export type ClientError = z.output<typeof clientError>

const params = z.object({ id: f.id })

export const listClientErrors = route('GET', '/client/:id/refusals', {
  summary: 'List rejected requests of an app within the last seven days, newest first; equal ones are counted.',
  needs: 'developer',
  params,
  data: z.array(clientError),
  problems: ['not_found'],
})

/** Decoded, for display: the signature was made by this server. */
export const decodedToken = z.object({
  header: z.record(z.string(), z.unknown()),
  claims: z.record(z.string(), z.unknown()),
})

export const testSignInResult = z.object({
  /** Error response of the token endpoint or of userinfo (RFC 6749 §5.2, RFC 6750 §3). */
  error: z
    .object({
      error: z.string(),
      error_description: z.string().nullable(),
      reason: z.enum(CLIENT_ERROR_REASONS).nullable(),
    })
    .nullable(),
  /** Granted scopes, separated by spaces. */
  scope: z.string().nullable(),
  /** Lifetime of the access token in seconds. */
  expires_in: z.number().int().nullable(),
  id_token: decodedToken.nullable(),
  userinfo: z.record(z.string(), z.unknown()).nullable(),
})
export type TestSignInResult = z.output<typeof testSignInResult>

export const completeTestSignIn = route('POST', '/client/:id/test-sign-in', {
  summary:
    'Exchange the authorization code of a test sign-in of yours with the settings of the app, and see what the app would receive. Tokens are not returned.',
  needs: 'developer',
  params,
  // RFC 7636 §4.1.
  body: z.object({ code: f.exactly(200), code_verifier: z.string().regex(/^[\w.~-]{43,128}$/) }),
  data: testSignInResult,
  problems: ['not_found'],
})

export const deleteClientErrors = route('DELETE', '/client/:id/refusals', {
  summary: 'Delete the list of rejected requests of an app.',
  needs: 'developer',
  params,
  data: f.nothing,
  problems: ['not_found'],
})

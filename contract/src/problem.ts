/**
 * Every way in which a call can fail: code → HTTP status (api.md §1). The web app translates by code, so each language
 * has a sentence for every code here or does not compile.
 */
export const PROBLEMS = {
  invalid_request: 400,
  invalid_credentials: 400,
  invalid_password: 400,
  invalid_token: 400,
  invalid_otp: 400,
  otp_required: 400,
  sign_in_expired: 400,
  invalid_passkey: 400,
  wrong_match: 400,
  expired_code: 400,
  too_many_passkeys: 400,
  password_too_short: 400,
  password_breached: 400,
  no_developer: 400,
  secret_required: 400,
  keys_required: 400,
  unknown_scope: 400,
  too_many_uris: 400,
  too_many_scopes: 400,
  wrong_prefix: 400,
  name_mismatch: 400,
  too_many_members: 400,
  unauthenticated: 401,
  cross_site: 403,
  insufficient_level: 403,
  email_not_verified: 403,
  account_disabled: 403,
  client_disabled: 403,
  qr_sign_in_off: 403,
  user_blocked: 403,
  wrong_account: 403,
  reauthentication_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  email_exists: 409,
  username_taken: 409,
  redirect_uri_taken: 409,
  origin_taken: 409,
  prefix_taken: 409,
  last_owner: 409,
  already_member: 409,
  already_invited: 409,
  already_confirmed: 409,
  otp_already_on: 409,
  otp_not_on: 409,
  otp_setup_expired: 409,
  passkey_exists: 409,
  data_request_running: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof PROBLEMS

/**
 * What may be wrong with one field. Codes of validation issues are derived from the schema (`too_short`, `too_long`,
 * `required`, `invalid`, `unknown`); rules add their own (`taken`, …).
 */
export const FIELD_CODES = [
  'required',
  'too_short',
  'too_long',
  'too_small',
  'too_big',
  'invalid',
  'unknown',
  'taken',
  'invalid_email',
  'invalid_url',
  'https_required',
  'no_fragment',
  'no_wildcard',
  'no_credentials',
  'no_path',
  'private_scheme',
  'private_key',
  'weak_key',
  'scope_key',
  'wrong',
  'in_past',
  'not_a_picture',
  'svg_refused',
  'broken_picture',
  'polyglot',
  'too_many_pixels',
] as const
export type FieldCode = (typeof FIELD_CODES)[number]

/** The error object of a failed answer, as it stands on the wire. */
export type ProblemBody = {
  code: ProblemCode
  /** English, for a developer; a person never sees it. */
  message: string
  fields?: Record<string, FieldCode>
  params?: Record<string, string | number>
  request_id?: string
}

export type ProblemOptions = {
  message?: string
  fields?: Record<string, FieldCode>
  params?: Record<string, string | number>
  /** Seconds after which a retry may succeed; becomes the `Retry-After` header. */
  retry_after?: number
  /** Logged, never sent. */
  cause?: unknown
}

/** The one error that rules throw. Everything else that is thrown is a bug and becomes `internal`. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly fields: Record<string, FieldCode> | undefined
  readonly params: Record<string, string | number> | undefined
  readonly retry_after: number | undefined

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.message ?? code.replaceAll('_', ' '), { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = PROBLEMS[code]
    this.fields = options.fields
    this.params = options.params
    this.retry_after = options.retry_after
  }
}

/** Makes a problem to throw: `throw problem('redirect_uri_taken', { fields: { redirect_uri: 'taken' } })`. */
export function problem(code: ProblemCode, options?: ProblemOptions): Problem {
  return new Problem(code, options)
}

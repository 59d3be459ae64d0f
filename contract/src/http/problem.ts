/** Error codes and their HTTP status (api §1). The phrases of each language must have a sentence for every code. */
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
  password_is_email: 400,
  password_guessable: 400,
  no_developer: 400,
  secret_required: 400,
  keys_required: 400,
  certificates_not_accepted: 400,
  fixed_by_profile: 400,
  unknown_scope: 400,
  too_many_uris: 400,
  too_many_scopes: 400,
  too_many_resources: 400,
  wrong_prefix: 400,
  name_mismatch: 400,
  unauthenticated: 401,
  cross_site: 403,
  insufficient_level: 403,
  email_not_verified: 403,
  account_disabled: 403,
  client_disabled: 403,
  client_not_approved: 403,
  organization_not_approved: 403,
  organization_creation_closed: 403,
  disabled_by_operator: 403,
  registration_closed: 403,
  sign_in_method_off: 403,
  sign_in_incomplete: 403,
  qr_sign_in_off: 403,
  unrecognized_device: 403,
  user_blocked: 403,
  no_access: 403,
  wrong_account: 403,
  reauthentication_required: 403,
  second_factor_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  email_exists: 409,
  username_taken: 409,
  redirect_uri_taken: 409,
  origin_taken: 409,
  prefix_taken: 409,
  scope_being_removed: 409,
  resource_taken: 409,
  last_owner: 409,
  last_operator: 409,
  already_operator: 409,
  group_exists: 409,
  no_factors: 409,
  organization_disabled: 409,
  not_approved: 409,
  already_decided: 409,
  has_owner: 409,
  factor_reset_waiting: 409,
  mail_expired: 409,
  already_member: 409,
  already_invited: 409,
  already_confirmed: 409,
  otp_already_on: 409,
  sign_in_replaced: 409,
  otp_not_on: 409,
  otp_setup_expired: 409,
  passkey_exists: 409,
  last_passkey: 409,
  data_request_running: 409,
  limit_reached: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof PROBLEMS

/** Error codes about the settings of clients; only their pages have the sentences. */
export const CLIENT_PROBLEMS = [
  'no_access',
  'disabled_by_operator',
  'secret_required',
  'keys_required',
  'certificates_not_accepted',
  'fixed_by_profile',
  'too_many_uris',
  'too_many_scopes',
  'too_many_resources',
  'wrong_prefix',
  'redirect_uri_taken',
  'origin_taken',
  'prefix_taken',
  'scope_being_removed',
  'resource_taken',
] as const
export type ClientProblem = (typeof CLIENT_PROBLEMS)[number]

/** Error codes of the calls of operators; only their pages have the sentences. */
export const OPERATOR_PROBLEMS = [
  'last_operator',
  'already_operator',
  'group_exists',
  'no_factors',
  'organization_disabled',
  'not_approved',
  'has_owner',
  'factor_reset_waiting',
  'mail_expired',
] as const
export type OperatorProblem = (typeof OPERATOR_PROBLEMS)[number]

/** Error codes with status 403 or 409 whose sentences pages load when one occurs. */
export const CONFLICT_PROBLEMS = [
  'registration_closed',
  'sign_in_method_off',
  'sign_in_incomplete',
  'sign_in_replaced',
  'second_factor_required',
  'limit_reached',
  'last_owner',
  'already_member',
  'already_invited',
  'already_decided',
  'already_confirmed',
  'otp_already_on',
  'otp_not_on',
  'otp_setup_expired',
  'passkey_exists',
  'last_passkey',
  'data_request_running',
  'username_taken',
  'cross_site',
  'insufficient_level',
  'email_not_verified',
  'client_disabled',
  'client_not_approved',
  'organization_not_approved',
  'organization_creation_closed',
  'user_blocked',
  'wrong_account',
  'qr_sign_in_off',
  'unrecognized_device',
] as const
export type ConflictProblem = (typeof CONFLICT_PROBLEMS)[number]

/** Whether a text that came from outside, such as a query parameter, is an error code. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}

/**
 * Error codes of fields. Codes of validation issues follow from the schema (`too_short`, `too_long`, `required`,
 * `invalid`, `unknown`); rules add their own (`taken`, …).
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
  'no_credentials',
  'web_address',
  'wrong',
  'in_past',
] as const

/** Error codes of uploaded pictures; only pages with a picture field have sentences for them. */
export const PICTURE_FIELD_CODES = [
  'not_a_picture',
  'svg_refused',
  'broken_picture',
  'polyglot',
  'too_many_pixels',
] as const
export type PictureFieldCode = (typeof PICTURE_FIELD_CODES)[number]

/** Error codes of the settings of clients; only their pages have sentences for them. */
export const CLIENT_FIELD_CODES = [
  'https_only',
  'no_fragment',
  'no_wildcard',
  'no_path',
  'scope_key',
  'private_scheme',
  'private_key',
  'weak_key',
  'redirect_origin',
  'sector_required',
  'sector_unreadable',
  'other_sector',
  'not_listed',
] as const
export type ClientFieldCode = (typeof CLIENT_FIELD_CODES)[number]
export type FieldCode = (typeof FIELD_CODES)[number] | ClientFieldCode | PictureFieldCode

/** The error object of a response. */
export type ProblemBody = {
  code: ProblemCode
  /** English, for developers; not shown to users. */
  message: string
  fields?: Record<string, FieldCode>
  params?: Record<string, string | number>
  request_id?: string
}

export type ProblemOptions = {
  message?: string
  fields?: Record<string, FieldCode>
  params?: Record<string, string | number>
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  retry_after?: number
  /** Logged, never sent. */
  cause?: unknown
}

/** The error that rules throw. Any other error becomes `internal`. */
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

/** Creates a problem: `throw problem('redirect_uri_taken', { fields: { redirect_uri: 'taken' } })`. */
export function problem(code: ProblemCode, options?: ProblemOptions): Problem {
  return new Problem(code, options)
}

/**
 * Why a request of an app ends on a page in place of a redirect: codes of `/oauth?error=…`. Nothing else of a refused request reaches the page
 * (decision 0040).
 */
export const REQUEST_ERRORS = [
  'invalid_client',
  'invalid_client_metadata',
  'client_disabled',
  'client_not_approved',
  'user_blocked',
  'invalid_redirect_uri',
  'missing_redirect_uri',
  'invalid_id_token_hint',
  'invalid_post_logout_redirect_uri',
  'request_expired',
  'invalid_request',
  'server_error',
] as const
export type RequestError = (typeof REQUEST_ERRORS)[number]

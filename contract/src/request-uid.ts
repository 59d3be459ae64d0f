/** Begins the token of the mailed link of a backchannel authentication request. */
export const REQUEST_LINK_PREFIX = 'request_'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Whether the uid of a consent page is that of a backchannel authentication request (OpenID Connect CIBA Core): its id, or
 * the token of its mailed link. Such a request does not wait in a browser.
 */
export function isRequestUid(uid: string): boolean {
  return ID.test(uid) || uid.startsWith(REQUEST_LINK_PREFIX)
}

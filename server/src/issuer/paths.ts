/** The engine's addresses below the issuer (oidc.md §4.1). */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  device_authorization: '/device_authorization',
  // The page on which a person types the code; the engine's own is never served.
  code_verification: '/device',
  // Only where the operator lets programs register apps (decision 0126).
  registration: '/register-client',
  userinfo: '/userinfo',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
  end_session: '/end-session',
} as const

/** The consent page, which takes authorization requests under this name, too (specification §2). */
export const CONSENT_PATH = '/oauth'
export const CONFIRM_PATH = `${ROUTES.end_session}/confirm`
/** Where a person is told that they are signed out, when no app waits for them. */
export const SIGNED_OUT_PATH = `${ROUTES.end_session}/success`

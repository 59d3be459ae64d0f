/** The engine's addresses below the issuer (oidc.md §4.1). */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  userinfo: '/userinfo',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
  end_session: '/end-session',
} as const

export const CONFIRM_PATH = `${ROUTES.end_session}/confirm`

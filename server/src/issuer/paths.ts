/** Endpoints below the issuer (protocol §4.1). */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  device_authorization: '/device_authorization',
  backchannel_authentication: '/backchannel_authentication',
  // Our page for the user code of a device; oidc-provider's is never served.
  code_verification: '/device',
  // Only where the installation allows dynamic client registration (decision 0031).
  registration: '/register-client',
  userinfo: '/userinfo',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
  end_session: '/end-session',
} as const

/** The consent page, which is also an authorization endpoint. */
export const CONSENT_PATH = '/oauth'
export const CONFIRM_PATH = `${ROUTES.end_session}/confirm`
/** Pages that sign the browser out of apps (OpenID Connect Front-Channel Logout). */
export const FRONTCHANNEL_PATH = `${ROUTES.end_session}/apps`
/** The page after a sign-out without a post-logout redirect URI. */
export const SIGNED_OUT_PATH = `${ROUTES.end_session}/success`

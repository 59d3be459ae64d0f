/** Client, user, session and grant of the reference provider. */
export const REFERENCE = {
  client_id: 'jadrolet',
  client_secret: 'only-a-number-for-the-bench-0123456789abcdef',
  session: 'session',
  account: 'ana',
  grant: 'grant',
} as const

export const REDIRECT_URI = 'https://jadrolet.example/callback'
/** Scope of a service, defined by an app whose access tokens are JWTs. */
export const SERVICE_SCOPE = 'notes.read'
/** The same of an app that signs with RS256, as a new app does. */
export const RSA_SERVICE_SCOPE = 'books.read'
export const SCOPES = ['openid', 'profile', 'email']

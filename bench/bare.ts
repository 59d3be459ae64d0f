/** What the bare engine and its load agree on: one app, one person, one session, one grant. */
export const BARE = {
  client_id: 'jadrolet',
  client_secret: 'only-a-number-for-the-bench-0123456789abcdef',
  session: 'session',
  account: 'ana',
  grant: 'grant',
} as const

export const REDIRECT_URI = 'https://jadrolet.example/callback'
/** What a service may read of another app, which has JWTs made for that. */
export const SERVICE_SCOPE = 'notes.read'
export const SCOPES = ['openid', 'profile', 'email']

import * as oidc from 'openid-client'

export const redirectUri = 'http://localhost:4000/callback'

let known
/** What Vrata says of itself, asked for once. */
export function vrata() {
  known ??= oidc.discovery(
    new URL('https://id.example.com'),
    'YOUR_CLIENT_ID',
    process.env.VRATA_CLIENT_SECRET,
    undefined, // while Vrata runs on http
    { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http
  )
  return known
}

export const cookie = { httpOnly: true, sameSite: 'lax', secure: redirectUri.startsWith('https:'), path: '/' }

import * as oidc from 'openid-client'

export const redirectUri = 'http://localhost:4000/callback'

let configuration
/** Reads the discovery document of Vrata once. */
export function vrata() {
  configuration ??= oidc.discovery(
    new URL('https://id.example.com'),
    'YOUR_CLIENT_ID',
    process.env.VRATA_CLIENT_SECRET,
    undefined, // while Vrata runs on http
    { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http
  )
  return configuration
}

export const cookie = { httpOnly: true, sameSite: 'lax', secure: redirectUri.startsWith('https:'), path: '/' }

/**
 * A program that acts on its own behalf, without a user: it gets a token with client credentials and calls an API, such as
 * `examples/api`. Register a service and choose the API's scope for it.
 * Settings: CLIENT_ID, CLIENT_SECRET, ISSUER (http://localhost:3000), SCOPE (jadrolet.timetable.read),
 * API (http://localhost:4003/timetable), RESOURCE (none; the identifier of an API that has an address of its own).
 */
import * as oidc from 'openid-client'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER = 'http://localhost:3000',
  SCOPE = 'jadrolet.timetable.read',
  API = 'http://localhost:4003/timetable',
  RESOURCE,
} = process.env
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error(`Register a service at ${ISSUER}/developers with the scope ${SCOPE}, then:

  CLIENT_ID=… CLIENT_SECRET=… npm run example -- service`)
  process.exit(1)
}

const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http only for local development.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

let token: { value: string; expires_at: number } | undefined

/** Returns the cached token, or a new one if it expires within 30 seconds. */
async function accessToken(): Promise<string> {
  if (!token || token.expires_at < Date.now() + 30_000) {
    const response = await oidc.clientCredentialsGrant(vrata, { scope: SCOPE, ...(RESOURCE && { resource: RESOURCE }) })
    token = { value: response.access_token, expires_at: Date.now() + (response.expiresIn() ?? 0) * 1000 }
  }
  return token.value
}

const response = await fetch(API, { headers: { authorization: `Bearer ${await accessToken()}` } })
console.log(`${response.status} ${await response.text()}`)
process.exitCode = response.ok ? 0 : 1

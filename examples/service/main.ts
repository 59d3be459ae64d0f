/**
 * A program that works for itself, without a person: it gets a token by client credentials and calls an API, such as
 * `examples/api`. Register a service, and let it ask for the API's scope.
 * Settings: CLIENT_ID, CLIENT_SECRET, ISSUER (http://localhost:3000), SCOPE (jadrolet.timetable.read),
 * API (http://localhost:4003/timetable).
 */
import * as oidc from 'openid-client'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER = 'http://localhost:3000',
  SCOPE = 'jadrolet.timetable.read',
  API = 'http://localhost:4003/timetable',
} = process.env
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error(`Register a service at ${ISSUER}/developers and let it ask for ${SCOPE}, then:

  CLIENT_ID=… CLIENT_SECRET=… npm run example -- service`)
  process.exit(1)
}

const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http is for one's own machine only.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

let token: { value: string; until: number } | undefined

/** A token serves many calls: a new one only when the old one is about to end. */
async function accessToken(): Promise<string> {
  if (!token || token.until < Date.now() + 30_000) {
    const answer = await oidc.clientCredentialsGrant(vrata, { scope: SCOPE })
    token = { value: answer.access_token, until: Date.now() + (answer.expiresIn() ?? 0) * 1000 }
  }
  return token.value
}

const answer = await fetch(API, { headers: { authorization: `Bearer ${await accessToken()}` } })
console.log(`${answer.status} ${await answer.text()}`)
process.exitCode = answer.ok ? 0 : 1

/**
 * A program on something without a browser or a keyboard worth the name, such as a television or a server reached by SSH
 * (RFC 8628): it shows a code, which somebody types in on their phone or computer. Register a mobile or desktop app;
 * it needs no redirect URI.
 * Settings: CLIENT_ID, ISSUER (http://localhost:3000).
 */
import * as oidc from 'openid-client'

const { CLIENT_ID, ISSUER = 'http://localhost:3000' } = process.env
if (!CLIENT_ID) {
  console.error(`Register a mobile or desktop app at ${ISSUER}/developers, then:

  CLIENT_ID=… npm run example -- device`)
  process.exit(1)
}

// A program that everybody can take apart keeps no secret; the code that waits is its alone.
const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), {
  // Plain http is for one's own machine only.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

const device = await oidc.initiateDeviceAuthorization(vrata, { scope: 'openid profile email' })
console.log(`Open ${device.verification_uri} on your phone or computer and type

    ${device.user_code}

or open ${device.verification_uri_complete}`)

try {
  // Asks every few seconds, more slowly when told so, until the person has answered or the code has expired.
  const tokens = await oidc.pollDeviceAuthorizationGrant(vrata, device)
  const { sub } = tokens.claims() as oidc.IDToken
  const person = await oidc.fetchUserInfo(vrata, tokens.access_token, sub)
  console.log(`Hello, ${person.name ?? sub}.`)
  // A device that goes on keeps `tokens.refresh_token` where nothing else reads it; this one is done.
  if (tokens.refresh_token) await oidc.tokenRevocation(vrata, tokens.refresh_token)
} catch (error) {
  if (!(error instanceof oidc.ResponseBodyError)) throw error
  console.log(wordsFor(error.error))
  process.exitCode = 1
}

function wordsFor(error: string): string {
  if (error === 'access_denied') return 'You did not allow this device to use your account.'
  if (error === 'expired_token') return 'Nobody typed the code in. Start again for a new one.'
  return `Vrata refused: ${error}`
}

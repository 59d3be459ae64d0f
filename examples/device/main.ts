/**
 * Device authorization grant (RFC 8628), for devices without a browser such as a television or a server reached by SSH: the
 * program shows a code, which the user enters on a phone or computer. Register a mobile or desktop app; it needs no redirect
 * URI.
 * Settings: CLIENT_ID, ISSUER (http://localhost:3000).
 */
import * as oidc from 'openid-client'

const { CLIENT_ID, ISSUER = 'http://localhost:3000' } = process.env
if (!CLIENT_ID) {
  console.error(`Register a mobile or desktop app at ${ISSUER}/developers, then:

  CLIENT_ID=… npm run example -- device`)
  process.exit(1)
}

// An installed program cannot keep a secret, so it is a public client.
const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), {
  // Plain http only for local development.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

const device = await oidc.initiateDeviceAuthorization(vrata, { scope: 'openid profile email' })
console.log(`Open ${device.verification_uri} on your phone or computer and enter

    ${device.user_code}

or open ${device.verification_uri_complete}`)

try {
  // Polls every few seconds until the user has answered or the code has expired; handles `slow_down`.
  const tokens = await oidc.pollDeviceAuthorizationGrant(vrata, device)
  const { sub } = tokens.claims() as oidc.IDToken
  const user = await oidc.fetchUserInfo(vrata, tokens.access_token, sub)
  console.log(`Hello, ${user.name ?? sub}.`)
  // A real program stores `tokens.refresh_token` in a protected place; this one ends here and revokes it.
  if (tokens.refresh_token) await oidc.tokenRevocation(vrata, tokens.refresh_token)
} catch (error) {
  if (!(error instanceof oidc.ResponseBodyError)) throw error
  console.log(messageFor(error.error))
  process.exitCode = 1
}

function messageFor(error: string): string {
  if (error === 'access_denied') return 'You did not allow this device to use your account.'
  if (error === 'expired_token') return 'The code has expired. Start again for a new one.'
  return `The sign-in failed: ${error}`
}

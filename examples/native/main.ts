/**
 * A desktop program that signs the user in with the system browser (RFC 8252): it listens on a free port of the loopback
 * interface until the browser is redirected there. Register a mobile or desktop app with the redirect URI
 * http://127.0.0.1/callback; the port may vary.
 * Settings: CLIENT_ID, ISSUER (http://localhost:3000), BROWSER (`none`: only print the address).
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oidc from 'openid-client'
import { openBrowser } from './browser.ts'
import { nextRequest } from './next-request.ts'

const { CLIENT_ID, ISSUER = 'http://localhost:3000', BROWSER } = process.env
if (!CLIENT_ID) {
  console.error(`Register a mobile or desktop app at ${ISSUER}/developers with the redirect URI http://127.0.0.1/callback, then:

  CLIENT_ID=… npm run example -- native`)
  process.exit(1)
}

// An installed program cannot keep a secret, so it is a public client; PKCE binds the code to this request.
const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), {
  // Plain http only for local development.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

// Not `localhost`, which may resolve to another interface (RFC 8252 §8.3).
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
const authorizationUrl = oidc.buildAuthorizationUrl(vrata, {
  redirect_uri,
  scope: 'openid profile email',
  state,
  nonce,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
console.log(`Sign in at:\n${authorizationUrl.href}`)
if (BROWSER !== 'none') openBrowser(authorizationUrl)

const callbackUrl = await nextRequest(server, redirect_uri, 'You can close this page and go back to the program.')
if (callbackUrl.searchParams.get('error') === 'access_denied') {
  console.log('You did not allow this program to use your account.')
  process.exit(1)
}
const tokens = await oidc.authorizationCodeGrant(vrata, callbackUrl, {
  expectedState: state,
  expectedNonce: nonce,
  pkceCodeVerifier: verifier,
  idTokenExpected: true,
})
const { sub } = tokens.claims() as oidc.IDToken
const user = await oidc.fetchUserInfo(vrata, tokens.access_token, sub)
console.log(`Hello, ${user.name ?? sub}.`)
// A real program stores `tokens.refresh_token` in the key store of the operating system; this one ends here and revokes it.
if (tokens.refresh_token) await oidc.tokenRevocation(vrata, tokens.refresh_token)

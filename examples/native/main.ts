/**
 * A program on somebody's own machine that signs them in by their browser (RFC 8252): it listens at a free port of the
 * loopback interface until the browser comes back. Register a mobile or desktop app with the redirect URI
 * http://127.0.0.1/callback; its port may then be any.
 * Settings: CLIENT_ID, ISSUER (http://localhost:3000), BROWSER (`none`: do not open it, only say the address).
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

// A program that everybody can take apart keeps no secret: PKCE alone ties the answer to the request.
const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), {
  // Plain http is for one's own machine only.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

// Not `localhost`: that may lead to an interface at which somebody else listens (RFC 8252 §8.3).
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
const address = oidc.buildAuthorizationUrl(vrata, {
  redirect_uri,
  scope: 'openid profile email',
  state,
  nonce,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
console.log(`Sign in at:\n${address.href}`)
if (BROWSER !== 'none') openBrowser(address)

const came = await nextRequest(server, redirect_uri, 'You can close this page and go back to the program.')
if (came.searchParams.get('error') === 'access_denied') {
  console.log('You did not allow this program to use your account.')
  process.exit(1)
}
const tokens = await oidc.authorizationCodeGrant(vrata, came, {
  expectedState: state,
  expectedNonce: nonce,
  pkceCodeVerifier: verifier,
  idTokenExpected: true,
})
const { sub } = tokens.claims() as oidc.IDToken
const person = await oidc.fetchUserInfo(vrata, tokens.access_token, sub)
console.log(`Hello, ${person.name ?? sub}.`)
// A program that goes on keeps `tokens.refresh_token` in the key store of the operating system; this one is done.
if (tokens.refresh_token) await oidc.tokenRevocation(vrata, tokens.refresh_token)

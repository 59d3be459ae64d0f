import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const vrata = await oidc.discovery(
  new URL('https://id.example.com'),
  'YOUR_CLIENT_ID',
  undefined,
  oidc.None(),
  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http
)

// Any free port: for native apps, Vrata ignores the port of a redirect URI on 127.0.0.1 (RFC 8252).
const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const redirectUri = `http://127.0.0.1:${server.address().port}/callback`

const verifier = oidc.randomPKCECodeVerifier()
const state = oidc.randomState()
const authorizationUrl = oidc.buildAuthorizationUrl(vrata, {
  redirect_uri: redirectUri,
  scope: 'openid profile email',
  state,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
console.log(`Open this address to sign in:\n${authorizationUrl.href}`)

const url = await new Promise((resolve) => {
  server.on('request', (request, response) => {
    const callbackUrl = new URL(request.url, redirectUri)
    if (callbackUrl.pathname !== '/callback') return response.writeHead(404).end()
    response.end('You can close this page and go back to the app.')
    resolve(callbackUrl)
  })
})
server.close()

const tokens = await oidc.authorizationCodeGrant(vrata, url, { pkceCodeVerifier: verifier, expectedState: state })
const user = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)
console.log(`Hello, ${user.name ?? user.sub}`)

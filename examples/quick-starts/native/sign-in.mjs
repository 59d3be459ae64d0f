import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const vrata = await oidc.discovery(
  new URL('https://id.example.com'),
  'YOUR_CLIENT_ID',
  undefined,
  oidc.None(),
  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http
)

// A free port of this machine: Vrata lets the port of 127.0.0.1 vary for this kind of app.
const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const redirectUri = `http://127.0.0.1:${server.address().port}/callback`

const verifier = oidc.randomPKCECodeVerifier()
const state = oidc.randomState()
const address = oidc.buildAuthorizationUrl(vrata, {
  redirect_uri: redirectUri,
  scope: 'openid profile email',
  state,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
console.log(`Open this address to sign in:\n${address.href}`)

const url = await new Promise((resolve) => {
  server.on('request', (request, response) => {
    const came = new URL(request.url, redirectUri)
    if (came.pathname !== '/callback') return response.writeHead(404).end()
    response.end('You can close this page and go back to the app.')
    resolve(came)
  })
})
server.close()

const tokens = await oidc.authorizationCodeGrant(vrata, url, { pkceCodeVerifier: verifier, expectedState: state })
const person = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)
console.log(`Hello, ${person.name ?? person.sub}`)

// examples/oidc.ts of oauth4webapi, which its README links, in Express.
import express from 'express'
import session from 'express-session'
import * as oauth from 'oauth4webapi'
import { CLIENT_ID, CLIENT_SECRET, HOME, ISSUER, PORT, page } from '../page.mjs'

const issuer = new URL(ISSUER)
// The library refuses http otherwise, also on loopback.
const http = { [oauth.allowInsecureRequests]: true }
const as = await oauth
  .discoveryRequest(issuer, { algorithm: 'oidc', ...http })
  .then((response) => oauth.processDiscoveryResponse(issuer, response))
const client = { client_id: CLIENT_ID }
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET)
const redirect_uri = `${HOME}/callback`

const app = express()
app.use(session({ secret: 'secret', resave: false, saveUninitialized: false }))

app.get('/', (req, res) => {
  const { tokens, claims } = req.session
  res.send(page(tokens && { name: claims.name, email: claims.email, accessToken: tokens.access_token }))
})

app.get('/sign-in', async (req, res) => {
  const code_verifier = oauth.generateRandomCodeVerifier()
  const authorizationUrl = new URL(as.authorization_endpoint)
  authorizationUrl.searchParams.set('client_id', client.client_id)
  authorizationUrl.searchParams.set('redirect_uri', redirect_uri)
  authorizationUrl.searchParams.set('response_type', 'code')
  authorizationUrl.searchParams.set('scope', 'openid profile email')
  authorizationUrl.searchParams.set('code_challenge', await oauth.calculatePKCECodeChallenge(code_verifier))
  authorizationUrl.searchParams.set('code_challenge_method', 'S256')
  req.session.code_verifier = code_verifier
  if (as.code_challenge_methods_supported?.includes('S256') !== true) {
    req.session.nonce = oauth.generateRandomNonce()
    authorizationUrl.searchParams.set('nonce', req.session.nonce)
  }
  res.redirect(authorizationUrl.href)
})

app.get('/callback', async (req, res) => {
  const { code_verifier, nonce } = req.session
  const parameters = oauth.validateAuthResponse(as, client, new URL(req.originalUrl, HOME))
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    parameters,
    redirect_uri,
    code_verifier,
    http,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  const { sub } = oauth.getValidatedIdTokenClaims(tokens)
  const userInfo = await oauth.userInfoRequest(as, client, tokens.access_token, http)
  const claims = await oauth.processUserInfoResponse(as, client, sub, userInfo)
  Object.assign(req.session, { tokens, claims })
  res.redirect('/')
})

app.get('/renew', async (req, res) => {
  const { refresh_token } = req.session.tokens
  const response = await oauth.refreshTokenGrantRequest(as, client, authentication, refresh_token, http)
  req.session.tokens = await oauth.processRefreshTokenResponse(as, client, response)
  res.redirect('/')
})

app.get('/sign-out', (req, res) => {
  const url = new URL(as.end_session_endpoint)
  url.searchParams.set('id_token_hint', req.session.tokens.id_token)
  url.searchParams.set('post_logout_redirect_uri', `${HOME}/`)
  req.session.destroy(() => res.redirect(url.href))
})

app.listen(PORT, 'localhost')

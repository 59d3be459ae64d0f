// The quick start of the README of openid-client, in Express.
import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'
import { CLIENT_ID, CLIENT_SECRET, HOME, ISSUER, PORT, page } from '../page.mjs'

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // The library refuses http otherwise, also on loopback.
  execute: [client.allowInsecureRequests],
})
const redirect_uri = `${HOME}/callback`

const app = express()
app.use(session({ secret: 'secret', resave: false, saveUninitialized: false }))

app.get('/', (req, res) => {
  const { tokens, claims } = req.session
  res.send(page(tokens && { name: claims.name, email: claims.email, accessToken: tokens.access_token }))
})

app.get('/sign-in', async (req, res) => {
  const code_verifier = client.randomPKCECodeVerifier()
  const parameters = {
    redirect_uri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  }
  req.session.code_verifier = code_verifier
  if (!config.serverMetadata().supportsPKCE()) {
    req.session.state = client.randomState()
    parameters.state = req.session.state
  }
  res.redirect(client.buildAuthorizationUrl(config, parameters).href)
})

app.get('/callback', async (req, res) => {
  const { code_verifier, state } = req.session
  const tokens = await client.authorizationCodeGrant(config, new URL(req.originalUrl, HOME), {
    pkceCodeVerifier: code_verifier,
    expectedState: state,
  })
  Object.assign(req.session, { tokens, claims: tokens.claims() })
  res.redirect('/')
})

app.get('/renew', async (req, res) => {
  req.session.tokens = await client.refreshTokenGrant(config, req.session.tokens.refresh_token)
  res.redirect('/')
})

app.get('/sign-out', (req, res) => {
  const { id_token } = req.session.tokens
  req.session.destroy(() => {
    res.redirect(
      client.buildEndSessionUrl(config, { id_token_hint: id_token, post_logout_redirect_uri: `${HOME}/` }).href,
    )
  })
})

app.listen(PORT, 'localhost')

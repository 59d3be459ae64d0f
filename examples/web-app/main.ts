/**
 * A website with "Sign in with Vrata": Express, and the authorization code flow with PKCE of `openid-client`.
 * Register a web app with the redirect URI http://localhost:4000/callback and, for back-channel logout, the sign-out
 * notification URL http://localhost:4000/signed-out.
 * Settings: CLIENT_ID, CLIENT_SECRET, ISSUER (http://localhost:3000), PORT (4000), SCOPE (openid profile email).
 */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import express, { type ErrorRequestHandler } from 'express'
import session from 'express-session'
import * as oidc from 'openid-client'
import { page } from './page.ts'
import { readLogoutToken } from './signed-out.ts'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER = 'http://localhost:3000',
  PORT = '4000',
  SCOPE = 'openid profile email',
} = process.env
const home = `http://localhost:${PORT}`
const redirect_uri = `${home}/callback`
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error(`Register a web app at ${ISSUER}/developers with the redirect URI ${redirect_uri}, then:

  CLIENT_ID=… CLIENT_SECRET=… npm run example`)
  process.exit(1)
}

const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http only for local development.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

declare module 'express-session' {
  interface SessionData {
    authorization: { state: string; nonce: string; verifier: string }
    user: oidc.UserInfoResponse
    idToken: string
  }
}

const app = express()
app.disable('x-powered-by')
app.use(
  session({
    // In production, use a persistent secret and session store.
    secret: randomUUID(),
    // Not the default name: cookies of all ports of localhost share one jar.
    name: 'jadrolet.sid',
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax', secure: 'auto' },
  }),
)

app.get('/', ({ session: { user } }, response) => {
  response.send(user ? page.signedIn(user) : page.signedOut())
})

app.post('/sign-in', async (request, response) => {
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  request.session.authorization = { state, nonce, verifier }
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier)
  const parameters = { redirect_uri, scope: SCOPE, state, nonce, code_challenge, code_challenge_method: 'S256' }
  response.redirect(303, oidc.buildAuthorizationUrl(vrata, parameters).href)
})

app.get('/callback', async (request, response) => {
  const { authorization } = request.session
  if (!authorization) return response.redirect(303, '/')
  delete request.session.authorization
  if (request.query.error === 'access_denied') return response.send(page.denied())
  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(request.originalUrl, home), {
    expectedState: authorization.state,
    expectedNonce: authorization.nonce,
    pkceCodeVerifier: authorization.verifier,
    idTokenExpected: true,
  })
  const { sub, sid } = tokens.claims() as oidc.IDToken
  const user = await oidc.fetchUserInfo(vrata, tokens.access_token, sub)
  // A new session ID prevents session fixation.
  await promisify(request.session.regenerate.bind(request.session))()
  Object.assign(request.session, { user, idToken: tokens.id_token })
  sessions.set(request.sessionID, { sub, sid })
  response.redirect(303, '/')
})

app.post('/sign-out', async (request, response) => {
  const { idToken } = request.session
  await promisify(request.session.destroy.bind(request.session))()
  sessions.delete(request.sessionID)
  // With a registered sign-out URL, send `post_logout_redirect_uri` to return to this site.
  response.redirect(303, oidc.buildEndSessionUrl(vrata, idToken ? { id_token_hint: idToken } : {}).href)
})

/** Subject and session ID at Vrata of each session of this site, for back-channel logout. */
const sessions = new Map<string, { sub: string; sid: unknown }>()

// Back-channel logout: Vrata reports that a user has signed out.
app.post('/signed-out', express.urlencoded(), async (request, response) => {
  const logout = await readLogoutToken(vrata, request.body?.logout_token)
  if (!logout) return response.sendStatus(400)
  for (const [id, { sub, sid }] of sessions) {
    if (logout.sid ? sid !== logout.sid : sub !== logout.sub) continue
    await promisify(request.sessionStore.destroy.bind(request.sessionStore))(id)
    sessions.delete(id)
  }
  response.set('cache-control', 'no-store').sendStatus(200)
})

const handleError: ErrorRequestHandler = (error, _, response, __) => {
  console.error(error)
  response.status(500).send(page.failed('Sign-in failed. Try again.'))
}
app.use(handleError)

app.listen(Number(PORT), 'localhost', () => console.log(`Jadrolet is running at ${home}`))

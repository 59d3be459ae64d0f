/**
 * A website with "Sign in with Vrata": Express, and the authorization code flow with PKCE by `openid-client`.
 * Register a web app with the redirect URI http://localhost:4000/callback and, to hear of sign-outs elsewhere, the address
 * for sign-out notices http://localhost:4000/signed-out.
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
  // Plain http is for one's own machine only.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})

declare module 'express-session' {
  interface SessionData {
    pending: { state: string; nonce: string; verifier: string }
    person: oidc.UserInfoResponse
    idToken: string
  }
}

const app = express()
app.disable('x-powered-by')
app.use(
  session({
    // A real site has a secret that outlives its process, and a store of its own.
    secret: randomUUID(),
    name: 'visit',
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax', secure: 'auto' },
  }),
)

app.get('/', ({ session: { person } }, response) => {
  response.send(person ? page.welcome(person) : page.hello())
})

app.post('/sign-in', async (request, response) => {
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  request.session.pending = { state, nonce, verifier }
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier)
  const asked = { redirect_uri, scope: SCOPE, state, nonce, code_challenge, code_challenge_method: 'S256' }
  response.redirect(303, oidc.buildAuthorizationUrl(vrata, asked).href)
})

app.get('/callback', async (request, response) => {
  const { pending } = request.session
  if (!pending) return response.redirect(303, '/')
  delete request.session.pending
  if (request.query.error === 'access_denied') return response.send(page.denied())
  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(request.originalUrl, home), {
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    pkceCodeVerifier: pending.verifier,
    idTokenExpected: true,
  })
  const { sub, sid } = tokens.claims() as oidc.IDToken
  const person = await oidc.fetchUserInfo(vrata, tokens.access_token, sub)
  // A new session, so that nobody has planted its id beforehand.
  await promisify(request.session.regenerate.bind(request.session))()
  Object.assign(request.session, { person, idToken: tokens.id_token })
  signedIn.set(request.sessionID, { sub, sid })
  response.redirect(303, '/')
})

app.post('/sign-out', async (request, response) => {
  const { idToken } = request.session
  await promisify(request.session.destroy.bind(request.session))()
  signedIn.delete(request.sessionID)
  // Vrata leads back here, too, with `post_logout_redirect_uri`, if the app has registered an address for that.
  response.redirect(303, oidc.buildEndSessionUrl(vrata, idToken ? { id_token_hint: idToken } : {}).href)
})

/** Our sessions, by whom Vrata means. */
const signedIn = new Map<string, { sub: string; sid: unknown }>()

// Vrata says that somebody has signed out, here or anywhere else.
app.post('/signed-out', express.urlencoded(), async (request, response) => {
  const ended = await readLogoutToken(vrata, request.body?.logout_token)
  if (!ended) return response.sendStatus(400)
  for (const [id, { sub, sid }] of signedIn) {
    if (ended.sid ? sid !== ended.sid : sub !== ended.sub) continue
    await promisify(request.sessionStore.destroy.bind(request.sessionStore))(id)
    signedIn.delete(id)
  }
  response.set('cache-control', 'no-store').sendStatus(200)
})

const failed: ErrorRequestHandler = (error, _, response, __) => {
  console.error(error)
  response.status(500).send(page.failed('The sign-in did not work. Please try again.'))
}
app.use(failed)

app.listen(Number(PORT), 'localhost', () => console.log(`Jadrolet is open at ${home}`))

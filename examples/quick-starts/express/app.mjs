import express from 'express'
import session from 'express-session'
import * as oidc from 'openid-client'

const redirectUri = 'http://localhost:4000/callback'
const vrata = await oidc.discovery(
  new URL('https://id.example.com'),
  'YOUR_CLIENT_ID',
  process.env.VRATA_CLIENT_SECRET,
  undefined, // while Vrata runs on http
  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http
)

const app = express()
app.use(session({ secret: crypto.randomUUID(), resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }))

app.get('/', (req, res) => {
  const { user } = req.session
  res.type('text').send(user ? `Hello, ${user.name ?? user.sub}` : 'You are not signed in. Open /sign-in')
})

app.get('/sign-in', async (req, res) => {
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  req.session.authorization = { verifier, state }
  const authorizationUrl = oidc.buildAuthorizationUrl(vrata, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  res.redirect(authorizationUrl.href)
})

app.get('/callback', async (req, res) => {
  const { verifier, state } = req.session.authorization ?? {}
  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(req.originalUrl, redirectUri), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const user = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)
  // A new session ID prevents session fixation.
  req.session.regenerate(() => {
    req.session.user = user
    res.redirect('/')
  })
})

app.listen(4000, () => console.log('Open http://localhost:4000/sign-in'))

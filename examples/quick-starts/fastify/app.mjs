import cookie from '@fastify/cookie'
import session from '@fastify/session'
import Fastify from 'fastify'
import * as oidc from 'openid-client'

const redirectUri = 'http://localhost:4000/callback'
const vrata = await oidc.discovery(
  new URL('https://id.example.com'),
  'YOUR_CLIENT_ID',
  process.env.VRATA_CLIENT_SECRET,
  undefined, // while Vrata runs on http
  { execute: [oidc.allowInsecureRequests] }, // while Vrata runs on http
)

const app = Fastify()
await app.register(cookie)
await app.register(session, {
  secret: crypto.randomUUID(),
  saveUninitialized: false,
  cookie: { sameSite: 'lax', secure: 'auto' },
})

app.get('/', async (request) => {
  const { user } = request.session
  return user ? `Hello, ${user.name ?? user.sub}` : 'You are not signed in. Open /sign-in'
})

app.get('/sign-in', async (request, reply) => {
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  request.session.authorization = { verifier, state }
  const authorizationUrl = oidc.buildAuthorizationUrl(vrata, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return reply.redirect(authorizationUrl.href)
})

app.get('/callback', async (request, reply) => {
  const { verifier, state } = request.session.authorization ?? {}
  const tokens = await oidc.authorizationCodeGrant(vrata, new URL(request.url, redirectUri), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const user = await oidc.fetchUserInfo(vrata, tokens.access_token, tokens.claims().sub)
  // A new session ID prevents session fixation.
  await request.session.regenerate()
  request.session.user = user
  return reply.redirect('/')
})

await app.listen({ port: 4000 })
console.log('Open http://localhost:4000/sign-in')

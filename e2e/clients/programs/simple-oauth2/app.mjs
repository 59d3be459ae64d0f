// The README of simple-oauth2, in Express. The library is for OAuth 2.0 alone: the program asks the userinfo endpoint.
import express from 'express'
import session from 'express-session'
import { AuthorizationCode } from 'simple-oauth2'
import { CLIENT_ID, CLIENT_SECRET, endSessionUrl, HOME, ISSUER, PORT, page } from '../page.mjs'

const client = new AuthorizationCode({
  client: { id: CLIENT_ID, secret: CLIENT_SECRET },
  auth: { tokenHost: ISSUER, authorizePath: '/authorize', tokenPath: '/token', revokePath: '/revoke' },
  // The answer to a revocation is empty (RFC 7009 §2.2); the library otherwise expects JSON.
  http: { json: 'force' },
})
const redirect_uri = `${HOME}/callback`

const app = express()
app.use(session({ secret: 'secret', resave: false, saveUninitialized: false }))

app.get('/', (req, res) => {
  const { token, user } = req.session
  res.send(page(user && { ...user, accessToken: token.access_token }))
})

app.get('/sign-in', (req, res) => {
  req.session.state = crypto.randomUUID()
  res.redirect(client.authorizeURL({ redirect_uri, scope: 'openid profile email', state: req.session.state }))
})

app.get('/callback', async (req, res) => {
  const { code, state } = req.query
  if (state !== req.session.state) return res.status(400).end()
  const { token } = await client.getToken({ code, redirect_uri, scope: 'openid profile email' })
  const userInfo = await fetch(`${ISSUER}/userinfo`, { headers: { authorization: `Bearer ${token.access_token}` } })
  Object.assign(req.session, { token, user: await userInfo.json() })
  res.redirect('/')
})

app.get('/renew', async (req, res) => {
  const accessToken = await client.createToken(req.session.token).refresh()
  req.session.token = accessToken.token
  res.redirect('/')
})

app.get('/sign-out', async (req, res) => {
  const { token } = req.session
  await client.createToken(token).revokeAll()
  req.session.destroy(() => res.redirect(endSessionUrl(token.id_token)))
})

app.listen(PORT, 'localhost')

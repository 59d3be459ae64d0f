// The README of express-openid-connect with the code flow and the refresh of its EXAMPLES.md; the default flow is implicit.
import express from 'express'
import openidConnect from 'express-openid-connect'
import { CLIENT_ID, CLIENT_SECRET, HOME, ISSUER, PORT, page } from '../page.mjs'

const app = express()
app.use(
  openidConnect.auth({
    issuerBaseURL: ISSUER,
    baseURL: HOME,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: 'a secret of at least thirty-two characters',
    idpLogout: true,
    authRequired: false,
    authorizationParams: { response_type: 'code' },
  }),
)

app.get('/', (req, res) => {
  const { user, accessToken } = req.oidc
  res.send(page(user && { ...user, accessToken: accessToken.access_token }, '/login'))
})

app.get('/renew', async (req, res) => {
  await req.oidc.accessToken.refresh()
  res.redirect('/')
})

app.get('/sign-out', (_req, res) => res.redirect('/logout'))

app.listen(PORT, 'localhost')

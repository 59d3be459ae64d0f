// The README of @auth/express with a provider of the type "oidc", as authjs.dev describes custom providers, and the guide
// "Refresh token rotation" of authjs.dev.
import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'
import { CLIENT_ID, CLIENT_SECRET, endSessionUrl, HOME, ISSUER, PORT, page } from '../page.mjs'

process.env.AUTH_SECRET = 'a secret of at least thirty-two characters'
/** Set by /renew in place of waiting until the access token expires. */
let expired = false

const config = {
  providers: [
    { id: 'vrata', name: 'Vrata', type: 'oidc', issuer: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
  ],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        const { access_token, refresh_token, id_token } = account
        return { ...token, access_token, refresh_token, id_token }
      }
      if (!expired) return token
      expired = false
      const response = await fetch(`${ISSUER}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          grant_type: 'refresh_token',
          refresh_token: token.refresh_token,
        }),
      })
      const tokens = await response.json()
      if (!response.ok) throw tokens
      return { ...token, access_token: tokens.access_token, refresh_token: tokens.refresh_token ?? token.refresh_token }
    },
    session({ session, token }) {
      return { ...session, access_token: token.access_token, id_token: token.id_token }
    },
  },
}

const app = express()
app.set('trust proxy', true)
app.use('/auth', ExpressAuth(config))

app.get('/', async (req, res) => {
  const session = await getSession(req, config)
  res.send(page(session && { ...session.user, accessToken: session.access_token }, '/auth/signin'))
})

app.get('/renew', (_req, res) => {
  expired = true
  // Only this address of Auth.js writes the renewed cookie.
  res.redirect('/auth/session')
})

app.get('/sign-out', async (req, res) => {
  const { id_token } = await getSession(req, config)
  res.redirect(endSessionUrl(id_token, `${HOME}/auth/signout`))
})

app.listen(PORT, 'localhost')

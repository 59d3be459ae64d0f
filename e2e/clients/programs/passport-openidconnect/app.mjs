// The README of passport-openidconnect, without a database. The library has no function for renewal or sign-out.
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'
import { CLIENT_ID, CLIENT_SECRET, endSessionUrl, HOME, ISSUER, PORT, page } from '../page.mjs'

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/authorize`,
      tokenURL: `${ISSUER}/token`,
      userInfoURL: `${ISSUER}/userinfo`,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${HOME}/cb`,
      scope: ['profile', 'email'],
    },
    (_issuer, profile, _context, idToken, accessToken, _refreshToken, done) => {
      const [email] = profile.emails ?? []
      done(null, { name: profile.displayName, email: email?.value, accessToken, idToken })
    },
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: 'secret', resave: false, saveUninitialized: false }))
app.use(passport.authenticate('session'))

app.get('/', (req, res) => res.send(page(req.user, '/login')))
app.get('/login', passport.authenticate('openidconnect'))
app.get(
  '/cb',
  passport.authenticate('openidconnect', { failureRedirect: '/login', failureMessage: true }),
  (_req, res) => res.redirect('/'),
)
app.get('/sign-out', (req, res) => {
  const { idToken } = req.user
  req.logout(() => res.redirect(endSessionUrl(idToken)))
})

app.listen(PORT, 'localhost')

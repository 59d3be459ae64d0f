/**
 * An API that checks the access tokens which come to it: JWTs by itself, opaque ones by asking Vrata. Register a service
 * and define the scope in it; whether its tokens are JWTs is one of its advanced settings, and nothing here changes with it.
 * Settings: CLIENT_ID, CLIENT_SECRET, ISSUER (http://localhost:3000), PORT (4003), SCOPE (jadrolet.timetable.read).
 */
import express from 'express'
import * as oidc from 'openid-client'
import { callerBy } from './caller.ts'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER = 'http://localhost:3000',
  PORT = '4003',
  SCOPE = 'jadrolet.timetable.read',
} = process.env
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error(`Register a service at ${ISSUER}/developers and define the scope ${SCOPE} in it, then:

  CLIENT_ID=… CLIENT_SECRET=… npm run example -- api`)
  process.exit(1)
}

const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http is for one's own machine only.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})
const callerOf = callerBy(vrata)

/** Lets through whose token has the scope; the others hear why not (RFC 6750 §3). */
const needs =
  (scope: string): express.RequestHandler =>
  async (request, response, next) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const caller = token && (await callerOf(token))
    const refuse = (status: number, why: string) => response.set('www-authenticate', `Bearer ${why}`).sendStatus(status)
    if (!token) return refuse(401, 'realm="Jadrolet"')
    if (!caller) return refuse(401, 'error="invalid_token"')
    if (!caller.scopes.includes(scope)) return refuse(403, `error="insufficient_scope", scope="${scope}"`)
    response.locals.caller = caller
    next()
  }

const app = express()
app.disable('x-powered-by')
app.get('/timetable', needs(SCOPE), (_, response) => {
  const { sub, client_id } = response.locals.caller
  // A service that acts for itself is its own subject.
  response.json({ for: sub === client_id ? 'a service' : sub, ferries: ['Zadar 09:00', 'Ancona 22:00'] })
})
app.listen(Number(PORT), 'localhost', () => console.log(`The API is open at http://localhost:${PORT}/timetable`))

/**
 * An API that accepts access tokens: it validates JWTs locally and introspects opaque tokens. Register a service and define
 * the scope in it. The format of its access tokens is one of its expert settings; this program accepts both.
 * With RESOURCE, its own address, which is an API identifier of the app, it accepts tokens for that and publishes where to get
 * them (RFC 9728).
 * Settings: CLIENT_ID, CLIENT_SECRET, ISSUER (http://localhost:3000), PORT (4003), SCOPE (jadrolet.timetable.read),
 * RESOURCE (none; such as http://localhost:4003/timetable).
 */
import express from 'express'
import * as oidc from 'openid-client'
import { createTokenValidator } from './caller.ts'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER = 'http://localhost:3000',
  PORT = '4003',
  SCOPE = 'jadrolet.timetable.read',
  RESOURCE,
} = process.env
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error(`Register a service at ${ISSUER}/developers and define the scope ${SCOPE} in it, then:

  CLIENT_ID=… CLIENT_SECRET=… npm run example -- api`)
  process.exit(1)
}

const vrata = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http only for local development.
  execute: new URL(ISSUER).hostname === 'localhost' ? [oidc.allowInsecureRequests] : [],
})
/** The name of this API in tokens: an identifier of its own, or the one that Vrata gives every app. */
const resource = RESOURCE ?? `${vrata.serverMetadata().issuer}/resources/${CLIENT_ID}`
const validateToken = createTokenValidator(vrata, resource)
/** Clients look for it at the address of the API: the path of the API follows the well-known one (RFC 9728 §3.1). */
const metadata = RESOURCE && new URL(`/.well-known/oauth-protected-resource${pathOf(RESOURCE)}`, RESOURCE)
const published = metadata ? `, resource_metadata="${metadata}"` : ''

/** Passes requests whose token has the scope, and rejects the others with a reason (RFC 6750 §3). */
const requireScope =
  (scope: string): express.RequestHandler =>
  async (request, response, next) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const caller = token && (await validateToken(token))
    const reject = (status: number, reason: string) =>
      response.set('www-authenticate', `Bearer ${reason}${published}`).sendStatus(status)
    if (!token) return reject(401, `scope="${scope}"`)
    if (!caller) return reject(401, 'error="invalid_token"')
    if (!caller.scopes.includes(scope)) return reject(403, `error="insufficient_scope", scope="${scope}"`)
    response.locals.caller = caller
    next()
  }

const app = express()
app.disable('x-powered-by')
if (metadata) {
  app.get(metadata.pathname, (_, response) => {
    const { issuer } = vrata.serverMetadata()
    response.json({
      resource,
      authorization_servers: [issuer],
      scopes_supported: [SCOPE],
      bearer_methods_supported: ['header'],
    })
  })
}
app.get('/timetable', requireScope(SCOPE), (_, response) => {
  const { sub, client_id } = response.locals.caller
  // With client credentials, the subject is the client itself (RFC 9068 §2.2).
  response.json({ for: sub === client_id ? 'a service' : sub, ferries: ['Zadar 09:00', 'Ancona 22:00'] })
})
app.listen(Number(PORT), 'localhost', () => console.log(`The API is running at http://localhost:${PORT}/timetable`))

function pathOf(address: string): string {
  const { pathname } = new URL(address)
  return pathname === '/' ? '' : pathname
}

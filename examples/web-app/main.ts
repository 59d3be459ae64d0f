/**
 * A small website with "Sign in with Vrata": authorization code with PKCE by `openid-client`.
 * Settings: CLIENT_ID, CLIENT_SECRET, ISSUER (http://localhost:3000), PORT (4000), SCOPE (openid profile email).
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as oidc from 'openid-client'
import { page } from './page.ts'

const {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER = 'http://localhost:3000',
  PORT = '4000',
  SCOPE = 'openid profile email',
} = process.env
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error(`Register an app at ${ISSUER}/developers with the redirect URI http://localhost:${PORT}/callback, then:

  CLIENT_ID=… CLIENT_SECRET=… npm run example`)
  process.exit(1)
}

const issuer = new URL(ISSUER)
const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(issuer.hostname)
const vrata = await oidc.discovery(issuer, CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http is for one's own machine only.
  execute: loopback ? [oidc.allowInsecureRequests] : [],
})

const home = `http://localhost:${PORT}`
const redirectUri = `${home}/callback`
type Person = { name: string; email?: string; picture?: string; claims: object; idToken?: string }
type Visit = { person?: Person; pending?: { state: string; nonce: string; verifier: string } }
/** Who visits, by cookie. A real site keeps this in its own store. */
const visits = new Map<string, Visit>()

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    send(response, 500, page.failed(error instanceof Error ? error.message : String(error)))
  })
})
server.listen(Number(PORT), 'localhost', () => console.log(`Jadrolet is open at ${home}`))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', home)
  const { id, visit } = visitOf(request)
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return send(response, 200, visit.person ? page.welcome(visit.person) : page.hello(), id)

    case 'POST /sign-in': {
      const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
      visit.pending = pending
      return redirect(
        response,
        oidc.buildAuthorizationUrl(vrata, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: 'S256',
        }),
        id,
      )
    }

    case 'GET /callback': {
      const pending = visit.pending
      delete visit.pending
      if (!pending) return redirect(response, new URL(home), id)
      if (url.searchParams.get('error') === 'access_denied') return send(response, 200, page.denied(), id)
      const tokens = await oidc.authorizationCodeGrant(vrata, url, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('The answer had no ID token.')
      const user = await oidc.fetchUserInfo(vrata, tokens.access_token, claims.sub)
      visit.person = {
        name: user.name ?? user.email ?? claims.sub,
        email: user.email,
        picture: user.picture,
        claims: user,
        idToken: tokens.id_token,
      }
      return redirect(response, new URL(home), id)
    }

    case 'POST /sign-out': {
      const hint = visit.person?.idToken
      visits.delete(id)
      // Vrata would lead back here, too, if the app had registered an address for that (`post_logout_redirect_uris`).
      return redirect(response, oidc.buildEndSessionUrl(vrata, hint ? { id_token_hint: hint } : {}), id)
    }

    default:
      return send(response, 404, page.failed('There is no such page.'), id)
  }
}

function visitOf(request: IncomingMessage): { id: string; visit: Visit } {
  const known = /(?:^|;\s*)visit=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const id = known && visits.has(known) ? known : randomBytes(24).toString('base64url')
  const visit = visits.get(id) ?? {}
  visits.set(id, visit)
  return { id, visit }
}

const cookie = (id?: string) => (id ? { 'set-cookie': `visit=${id}; HttpOnly; SameSite=Lax; Path=/` } : {})

function send(response: ServerResponse, status: number, html: string, id?: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...cookie(id) }).end(html)
}

function redirect(response: ServerResponse, to: URL, id?: string): void {
  response.writeHead(303, { location: to.href, ...cookie(id) }).end()
}

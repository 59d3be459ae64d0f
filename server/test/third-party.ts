import { createHash, randomBytes } from 'node:crypto'
import { connections } from '@vrata/contract'
import { jadrolet } from './people.ts'
import type { SignedIn, TestServer } from './test-server.ts'

/** A client with its credentials. */
export type ThirdParty = { client_id: string; client_secret: string | null; redirect_uri?: string }
export type Tokens = {
  access_token: string
  refresh_token: string
  id_token: string
  expires_in: number
  scope: string
  token_type: string
}
type Params = Record<string, string | undefined>

export const SCOPE = 'openid profile email'

/** A code verifier with its challenge (RFC 7636). */
export function proofKey(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function authorizeUrl(app: ThirdParty, params: Params = {}): string {
  const all = {
    client_id: app.client_id,
    redirect_uri: app.redirect_uri ?? jadrolet.redirect_uri,
    response_type: 'code',
    scope: SCOPE,
    state: 'a state',
    code_challenge: proofKey().challenge,
    code_challenge_method: 'S256',
    ...params,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/authorize?${new URLSearchParams(given)}`
}

/** Sends an authorization request; resolves with the URL of the redirect. */
export async function authorize(
  browser: Pick<SignedIn, 'request'>,
  app: ThirdParty,
  params: Params = {},
): Promise<URL> {
  return follow(browser, authorizeUrl(app, params))
}

/** Requests one of our URLs; resolves with the URL that it redirects to. */
export async function follow(browser: Pick<SignedIn, 'request'>, url: string): Promise<URL> {
  const answer = await browser.request({ url })
  const { location } = answer.headers
  if (answer.statusCode !== 303 || typeof location !== 'string') {
    throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 500)}`)
  }
  return new URL(location, 'http://localhost:3000')
}

/** Path and query of one of our URLs. */
export function here(url: URL): string {
  return url.pathname + url.search
}

/** The user grants the client these scopes. */
export async function allow(person: SignedIn, app: ThirdParty, scopes: string = SCOPE): Promise<void> {
  const answer = await person.call(connections.submitConsent, { client: app.client_id, scopes: scopes.split(' ') })
  if (!answer.ok) throw new Error(`The scopes could not be granted: ${JSON.stringify(answer.problem)}`)
}

/** The user grants some of the scopes that the client asks for, and declines the others. */
export async function allowOnly(person: SignedIn, app: ThirdParty, granted: string, asked: string): Promise<void> {
  const page = await follow(person, here(await authorize(person, app, { scope: asked })))
  const uid = page.searchParams.get('uid') ?? ''
  const decision = { client: app.client_id, uid, scopes: granted.split(' ') }
  const answer = await person.call(connections.submitConsent, decision)
  if (!answer.ok) throw new Error(`The scopes could not be granted: ${JSON.stringify(answer.problem)}`)
}

/** Posts a form as the client, with HTTP Basic authentication when it has a secret. */
export async function post(
  server: Pick<TestServer, 'app'>,
  app: ThirdParty,
  url: string,
  form: Params,
  headers: Record<string, string> = credentials(app),
) {
  const given = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined)
  if (!headers.authorization && form.client_id === undefined) given.push(['client_id', app.client_id])
  return await server.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(given).toString(),
  })
}

export function credentials({ client_id, client_secret }: ThirdParty): Record<string, string> {
  if (client_secret === null) return {}
  return { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
}

/** A new authorization code; the user must have granted the scopes. */
export async function codeFor(person: SignedIn, app: ThirdParty, params: Params = {}) {
  const { verifier, challenge } = proofKey()
  const back = await authorize(person, app, { code_challenge: challenge, ...params })
  const code = back.searchParams.get('code')
  if (!code) throw new Error(`no code: ${back}`)
  return {
    code,
    back,
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirect_uri ?? jadrolet.redirect_uri,
      code_verifier: verifier,
    },
  }
}

/** Signs the user in to the client with the authorization code flow; resolves with the tokens. */
export async function signInTo(
  server: TestServer,
  person: SignedIn,
  app: ThirdParty,
  params: Params = {},
): Promise<Tokens> {
  const { form } = await codeFor(person, app, params)
  const answer = await post(server, app, '/token', form)
  if (answer.statusCode !== 200) throw new Error(`no tokens: ${answer.body}`)
  return answer.json()
}

export async function refresh(server: TestServer, app: ThirdParty, refresh_token: string, form: Params = {}) {
  return await post(server, app, '/token', { grant_type: 'refresh_token', refresh_token, ...form })
}

export async function userinfo(server: TestServer, access_token: string) {
  return await server.app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${access_token}` } })
}

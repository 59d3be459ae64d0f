import { createHash, randomBytes } from 'node:crypto'
import { connections } from '@vrata/contract'
import type { House, SignedIn } from './house.ts'
import { jadrolet } from './people.ts'

/** An app as its developers hold it. */
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

/** A proof key for one code exchange (RFC 7636). */
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

/** Sends a browser to the authorization endpoint; answers where it is led. */
export async function authorize(
  browser: Pick<SignedIn, 'request'>,
  app: ThirdParty,
  params: Params = {},
): Promise<URL> {
  return follow(browser, authorizeUrl(app, params))
}

/** Follows a redirect of ours; answers where it leads next. */
export async function follow(browser: Pick<SignedIn, 'request'>, url: string): Promise<URL> {
  const answer = await browser.request({ url })
  const { location } = answer.headers
  if (answer.statusCode !== 303 || typeof location !== 'string') {
    throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 500)}`)
  }
  return new URL(location, 'http://localhost:3000')
}

/** Path and query of one of our own addresses. */
export function here(url: URL): string {
  return url.pathname + url.search
}

/** The person allows the app these scopes. */
export async function allow(person: SignedIn, app: ThirdParty, scopes: string = SCOPE): Promise<void> {
  const answer = await person.call(connections.putConsent, { client: app.client_id, scopes: scopes.split(' ') })
  if (!answer.ok) throw new Error(`could not allow: ${JSON.stringify(answer.problem)}`)
}

/** Posts a form to the engine as the app does, with its secret in the header when it has one. */
export async function post(
  house: House,
  app: ThirdParty,
  url: string,
  form: Params,
  headers: Record<string, string> = credentials(app),
) {
  const given = Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined)
  if (!headers.authorization && form.client_id === undefined) given.push(['client_id', app.client_id])
  return await house.app.inject({
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

/** A fresh code, ready to be exchanged; the app must be allowed already. */
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

/** Signs the person in to the app, from the authorization request to the tokens. */
export async function signInTo(house: House, person: SignedIn, app: ThirdParty, params: Params = {}): Promise<Tokens> {
  const { form } = await codeFor(person, app, params)
  const answer = await post(house, app, '/token', form)
  if (answer.statusCode !== 200) throw new Error(`no tokens: ${answer.body}`)
  return answer.json()
}

export async function refresh(house: House, app: ThirdParty, refresh_token: string, form: Params = {}) {
  return await post(house, app, '/token', { grant_type: 'refresh_token', refresh_token, ...form })
}

export async function userinfo(house: House, access_token: string) {
  return await house.app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${access_token}` } })
}

import { createHash, randomBytes } from 'node:crypto'
import { REDIRECT_URI, SCOPES, SERVICE_SCOPE } from './bare.ts'
import { Browser } from './browser.ts'
import { type App, type House, PERSON } from './house.ts'

/** Prepares a house and answers one operation; the operation tells whether it went as it must. */
export type Workload = (house: House) => Promise<() => Promise<boolean>>

/** Enough for every connection to have one of its own. */
const AT_ONCE = 16
const FORM = 'application/x-www-form-urlencoded'

export const hello: Workload = async ({ url }) => {
  const browser = new Browser(url)
  return async () => (await browser.request('GET', '/')).status === 200
}

export const profile: Workload = async ({ browser }) => {
  return async () => (await browser.request('GET', '/v1/account')).status === 200
}

export const signIn: Workload = async ({ url }) => {
  const body = JSON.stringify({ username: PERSON.email, password: PERSON.password })
  return async () => {
    const answer = await new Browser(url).request('POST', '/v1/auth/login', { body, type: 'application/json' })
    return answer.status === 200
  }
}

export const codeExchange: Workload = async (house) => {
  return async () => (await exchange(house)) !== undefined
}

/** A service in its own name; its token is a row. */
export const clientCredentials: Workload = async (house) => {
  return async () => (await token(house, { grant_type: 'client_credentials' }, house.service)) !== undefined
}

/** The same with a signed token, which is kept nowhere. */
export const signedCredentials: Workload = async (house) => {
  const form = { grant_type: 'client_credentials', scope: SERVICE_SCOPE }
  return async () => (await token(house, form, house.service))?.access_token.startsWith('ey') === true
}

/** Each operation spends the refresh token that one before it was given. */
export const refresh: Workload = async (house) => {
  const tokens: string[] = []
  for (let i = 0; i < AT_ONCE; i += 1) tokens.push((await signedIn(house)).refresh_token)
  return async () => {
    const refresh_token = tokens.shift()
    if (!refresh_token) return false
    const answer = await token(house, { grant_type: 'refresh_token', refresh_token })
    if (answer) tokens.push(answer.refresh_token)
    return answer !== undefined
  }
}

export const userinfo: Workload = async (house) => {
  const { access_token } = await signedIn(house)
  const bearer = new Browser(house.url)
  const authorization = `Bearer ${access_token}`
  return async () => (await bearer.request('GET', '/userinfo', { authorization })).status === 200
}

export const introspection: Workload = async (house) => {
  const { access_token } = await signedIn(house)
  const server = new Browser(house.url)
  const sent = { body: `token=${access_token}`, type: FORM, authorization: basic(house.app) }
  return async () => (await server.request('POST', '/introspect', sent)).body.startsWith('{"active":true')
}

interface Tokens {
  access_token: string
  refresh_token: string
}

async function signedIn(house: House): Promise<Tokens> {
  const tokens = await exchange(house)
  if (!tokens) throw new Error('No tokens')
  return tokens
}

/** From a session and a consent to tokens: two requests. */
async function exchange(house: House): Promise<Tokens | undefined> {
  const code_verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: house.app.client_id,
    redirect_uri: REDIRECT_URI,
    scope: SCOPES.join(' '),
    state: 'state',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { location } = await house.browser.request('GET', `/authorize?${query}`)
  const code = location && new URL(location, REDIRECT_URI).searchParams.get('code')
  if (!code) return undefined
  return token(house, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier })
}

async function token(house: House, form: Record<string, string>, app = house.app): Promise<Tokens | undefined> {
  const body = new URLSearchParams(form).toString()
  const answer = await new Browser(house.url).request('POST', '/token', {
    body,
    type: FORM,
    authorization: basic(app),
  })
  return answer.status === 200 ? JSON.parse(answer.body) : undefined
}

function basic({ client_id, client_secret }: App): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
}

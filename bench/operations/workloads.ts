import { createHash, randomBytes } from 'node:crypto'
import { type Answer, Browser, type RequestOptions } from '../browser.ts'
import { type App, type Installation, type Person, USER } from '../installation.ts'
import { REDIRECT_URI } from '../reference/reference-data.ts'

/** Prepares an installation and returns one operation, which returns whether it succeeded. */
export type Workload = (installation: Installation) => Promise<() => Promise<boolean>>

/** The workload with apps that sign with RS256. */
export function withRsa(workload: Workload): Workload {
  return async ({ rsa }) => {
    if (!rsa) throw new Error('this installation has no apps that sign with RS256')
    return await workload(rsa)
  }
}

/** Refresh tokens in use: one for each person, and as many as there are connections of a load. */
const REFRESH_TOKENS = 16
export const FORM = 'application/x-www-form-urlencoded'

/** A request that is sent again and again as it is. */
export interface RepeatedRequest {
  browser: Browser
  method: 'GET' | 'POST'
  path: string
  options?: RequestOptions
  /** How the body of the answer begins. */
  answer?: string
}

export type Repeatable = (installation: Installation) => Promise<RepeatedRequest>

export function repeating(prepare: Repeatable): Workload {
  return async (installation) => {
    const { browser, method, path, options, answer = '' } = await prepare(installation)
    return async () => {
      const { status, body } = await browser.request(method, path, options)
      return status === 200 && body.startsWith(answer)
    }
  }
}

export const helloRequest: Repeatable = async ({ url }) => ({ browser: new Browser(url), method: 'GET', path: '/' })

/** Gets a new access cookie, because it is valid for minutes only and all rounds may take longer. */
export const profileRequest: Repeatable = async ({ browser }) => {
  const renewed = await browser.request('PUT', '/v1/auth/refresh', { body: '{}', type: 'application/json' })
  if (renewed.status !== 200) throw new Error(`PUT /v1/auth/refresh: ${renewed.status} ${renewed.body}`)
  return { browser, method: 'GET', path: '/v1/account' }
}
export const profile = repeating(profileRequest)

/** Each from a browser that the account does not know, so a mail tells about it. */
export const signIn: Workload = async ({ url, people }) => {
  const next = inTurn(people)
  return async () => await isSignedIn(next(), new Browser(url))
}

/** Each from a browser that the account knows by its device cookie. */
export const signInAgain: Workload = async ({ url, people }) => {
  const next = inTurn(
    await Promise.all(people.map(async (person) => ({ person, device: await deviceOf(person, url) }))),
  )
  return async () => {
    const { person, device } = next()
    return await isSignedIn(person, new Browser(url, new Map(device)))
  }
}

/** The cookie by which an account knows a browser. */
async function deviceOf(person: Person, url: string): Promise<[string, string][]> {
  const browser = new Browser(url)
  await isSignedIn(person, browser)
  const cookie = [...browser.cookies].filter(([name]) => name.endsWith('vrata_device'))
  if (cookie.length === 0) throw new Error('A sign-in has set no device cookie.')
  return cookie
}

async function isSignedIn({ email }: Person, browser: Browser): Promise<boolean> {
  const body = JSON.stringify({ username: email, password: USER.password })
  const answer = await browser.request('POST', '/v1/auth/login', { body, type: 'application/json' })
  return answer.status === 200
}

/** Each call returns the next one, and the first again after the last. */
function inTurn<T>(all: readonly T[]): () => T {
  let n = 0
  return () => all[n++ % all.length] as T
}

export const codeExchange: Workload = async (installation) => {
  const next = inTurn(installation.people)
  return async () => (await exchange(installation, next())) !== undefined
}

/** Client credentials with an opaque token, which is stored. */
export const clientCredentials: Workload = async (installation) => {
  return async () =>
    (await token(installation, { grant_type: 'client_credentials' }, installation.service)) !== undefined
}

/** Client credentials with a JWT, which is not stored. */
export const signedCredentials: Workload = async (installation) => {
  const form = { grant_type: 'client_credentials', scope: installation.service_scope }
  return async () => (await token(installation, form, installation.service))?.access_token.startsWith('ey') === true
}

/** Each operation redeems a refresh token that an earlier one received. */
export const refresh: Workload = async (installation) => {
  const tokens: string[] = []
  const { people } = installation
  for (let i = 0; i < Math.max(REFRESH_TOKENS, people.length); i += 1)
    tokens.push((await signedIn(installation, people[i % people.length])).refresh_token)
  return async () => {
    const refresh_token = tokens.shift()
    if (!refresh_token) return false
    const answer = await token(installation, { grant_type: 'refresh_token', refresh_token })
    if (answer) tokens.push(answer.refresh_token)
    return answer !== undefined
  }
}

export const userinfoRequest: Repeatable = async (installation) => {
  const { access_token } = await signedIn(installation)
  const options = { authorization: `Bearer ${access_token}` }
  return { browser: new Browser(installation.url), method: 'GET', path: '/userinfo', options }
}
export const userinfo = repeating(userinfoRequest)

export const introspectionRequest: Repeatable = async (installation) => {
  const { access_token } = await signedIn(installation)
  const options = { body: `token=${access_token}`, type: FORM, authorization: basic(installation.app) }
  const browser = new Browser(installation.url)
  return { browser, method: 'POST', path: '/introspect', options, answer: '{"active":true' }
}
export const introspection = repeating(introspectionRequest)

interface Tokens {
  access_token: string
  refresh_token: string
}

async function signedIn(installation: Installation, person?: Person): Promise<Tokens> {
  const tokens = await exchange(installation, person)
  if (!tokens) throw new Error('the code exchange failed')
  return tokens
}

/** Authorization request with an existing session and consent, then the code exchange: two requests. */
async function exchange(
  installation: Installation,
  { browser }: Pick<Person, 'browser'> = installation,
): Promise<Tokens | undefined> {
  const { form } = await requestCode({ ...installation, browser })
  return form && token(installation, form)
}

/** Authorization request with an existing session and consent; `form` is the token request that redeems the code. */
export async function requestCode(
  installation: Pick<Installation, 'browser' | 'app' | 'scopes'>,
  redirect_uri = REDIRECT_URI,
): Promise<{ answer: Answer; form?: Record<string, string> }> {
  const code_verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: installation.app.client_id,
    redirect_uri,
    scope: installation.scopes.join(' '),
    state: 'state',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const answer = await installation.browser.request('GET', `/authorize?${query}`)
  const code = answer.location && new URL(answer.location, redirect_uri).searchParams.get('code')
  if (!code) return { answer }
  return { answer, form: { grant_type: 'authorization_code', code, redirect_uri, code_verifier } }
}

async function token(
  { url, app: own }: Installation,
  form: Record<string, string>,
  app = own,
): Promise<Tokens | undefined> {
  return await requestToken(url, form, app)
}

/** One request to the token endpoint. `refused` gets an answer without tokens. */
export async function requestToken(
  url: string,
  form: Record<string, string>,
  app: App,
  refused?: (answer: Answer) => void,
): Promise<Tokens | undefined> {
  const body = new URLSearchParams(form).toString()
  const answer = await new Browser(url).request('POST', '/token', {
    body,
    type: FORM,
    authorization: basic(app),
  })
  if (answer.status === 200) return JSON.parse(answer.body)
  refused?.(answer)
  return undefined
}

export function basic({ client_id, client_secret }: App): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
}

import { createHash, randomBytes } from 'node:crypto'
import { account, auth, clients, connections, createApi, developers } from '@vrata/contract'
import { Browser } from './browser.ts'
import type { Target } from './targets.ts'

/** Prepares a target and answers one operation; the operation tells whether it went as it must. */
export type Workload = (target: Target) => Promise<() => Promise<boolean>>

const PERSON = { email: 'ana.kovac@example.com', password: 'vrata-so-odprta-7', first_name: 'Ana', last_name: 'Kovač' }
const REDIRECT_URI = 'https://jadrolet.example/callback'

export const hello: Workload = async ({ url }) => {
  const browser = new Browser(url)
  return async () => (await browser.request('GET', '/')).status === 200
}

export const profile: Workload = async (target) => {
  const { browser } = await prepared(target)
  return async () => (await browser.request('GET', '/v1/account')).status === 200
}

export const signIn: Workload = async (target) => {
  await prepared(target)
  const body = JSON.stringify({ username: PERSON.email, password: PERSON.password })
  return async () => {
    const browser = new Browser(target.url)
    const answer = await browser.request('POST', '/v1/auth/login', { body, type: 'application/json' })
    return answer.status === 200
  }
}

export const codeExchange: Workload = async (target) => {
  const ready = await prepared(target)
  return async () => (await exchange(ready)) !== undefined
}

export const userinfo: Workload = async (target) => {
  const ready = await prepared(target)
  const token = await exchange(ready)
  if (!token) throw new Error('No access token')
  const bearer = new Browser(target.url)
  return async () => (await bearer.request('GET', '/userinfo', { authorization: `Bearer ${token}` })).status === 200
}

interface Ready {
  browser: Browser
  app: { client_id: string; client_secret: string }
}
const houses = new WeakMap<Target, Promise<Ready>>()

/** Ana, her organisation, an app and what she allowed it: made once per target, by the calls that the pages make. */
function prepared(target: Target): Promise<Ready> {
  const found = houses.get(target) ?? furnish(target)
  houses.set(target, found)
  return found
}

async function furnish(target: Target): Promise<Ready> {
  const browser = new Browser(target.url)
  const call = createApi(async ({ method, url, body }) => {
    const json = body === undefined ? undefined : JSON.stringify(body)
    const answer = await browser.request(method, url, json ? { body: json, type: 'application/json' } : {})
    return { status: answer.status, json: JSON.parse(answer.body) }
  })
  must(await call(auth.register, PERSON))
  must(await call(account.verifyEmail, { token: await mailedToken(target.url) }))
  must(await call(developers.createDeveloper, { name: 'Kraški studio' }))
  const app = must(await call(clients.createClient, { name: 'Jadrolet', type: 'web', redirect_uri: REDIRECT_URI }))
  must(await call(connections.putConsent, { client: app.client_id, scopes: ['openid', 'profile', 'email'] }))
  return { browser, app: { client_id: app.client_id, client_secret: app.client_secret ?? '' } }
}

/** From the mailbox page, as a newcomer would. */
async function mailedToken(url: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const token = /confirm-email\/([\w-]+)/.exec(await (await fetch(`${url}/mailbox`)).text())?.[1]
    if (token) return token
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('No mail came')
}

function must<T>(answer: { ok: true; data: T } | { ok: false; problem: { code: string } }): T {
  if (!answer.ok) throw new Error(`The house could not be furnished: ${answer.problem.code}`)
  return answer.data
}

/** From a session and a consent to an access token: two requests. */
async function exchange({ browser, app }: Ready): Promise<string | undefined> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { location } = await browser.request('GET', `/authorize?${query}`)
  const code = location && new URL(location, REDIRECT_URI).searchParams.get('code')
  if (!code) return undefined
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  })
  const answer = await new Browser(browser.url).request('POST', '/token', {
    body: body.toString(),
    type: 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
  })
  return answer.status === 200 ? JSON.parse(answer.body).access_token : undefined
}

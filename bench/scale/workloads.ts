import { randomInt } from 'node:crypto'
import { sessions } from '@vrata/contract'
import { seedEmail, seedToken } from '../../server/src/seed/installation.ts'
import { apiClient, type Cookies } from '../../testing/api-client.ts'
import { type Answer, Browser } from '../browser.ts'
import { basic, FORM, requestCode, requestToken } from '../operations/workloads.ts'
import { appOf, cookiesOf, type Site, signedIn } from './people.ts'

/** Prepares a site and returns one operation of a random active person, which returns whether it succeeded. */
export type ScaleWorkload = (site: Site) => Promise<() => Promise<boolean>>

const REDIRECT_URI = 'http://localhost:4000/callback'
const SCOPES = ['openid', 'profile', 'email']
const TOKENS_PER_PERSON = 5
/** The tokens of a person are of these in turn. */
const APPS_PER_PERSON = 2
/** Most tokens of which one is looked for that is neither spent nor on its way. */
const MOST_ATTEMPTS = 10_000

/** Why operations failed, and how many. */
export const failures = new Map<string, number>()

/** Whether an answer is as expected; notes the beginning of one that is not. */
function check(ok: boolean, what: string, { status, body, location = '' }: Answer): boolean {
  if (ok) return true
  // Replaces ids and tokens, which differ each time.
  const text = `${location} ${body.slice(0, 300)}`.replace(/[\w-]{36,}/g, '…')
  const cause = `${what}: ${status} ${text}`
  failures.set(cause, (failures.get(cause) ?? 0) + 1)
  return false
}

/** Refresh tokens that were received for a seeded one, by its number; null while one is on its way. */
const rotated = new WeakMap<Site, Map<number, string | null>>()

type Refreshed = { access_token: string; refresh_token: string; app: ReturnType<typeof appOf> }

async function refreshRandom(site: Site): Promise<Refreshed | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const answer = await refreshOne(site, randomOf(site.active), randomInt(TOKENS_PER_PERSON))
    if (answer !== 'unusable') return answer
  }
  throw new Error('The refresh tokens of these people are spent. Another OFFSET chooses other people.')
}

/** Undefined when the refresh fails; `unusable` when the token is on its way, is of another app, or was used in an earlier run. */
async function refreshOne(site: Site, person: number, n: number): Promise<Refreshed | 'unusable' | undefined> {
  const known = rotated.get(site) ?? new Map<number, string | null>()
  rotated.set(site, known)
  const number = person * TOKENS_PER_PERSON + n
  const refresh_token = known.get(number) ?? (known.has(number) ? null : seedToken(site.seeded.facts.key, number))
  const app = appOf(site, person, n % APPS_PER_PERSON)
  if (refresh_token === null || site.avoided.includes(app.client_id)) return 'unusable'
  known.set(number, null)
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString()
  const request = { body, type: FORM, authorization: basic(app) }
  const answer = await new Browser(site.url).request('POST', '/token', request)
  if (answer.status === 400) return 'unusable'
  if (!check(answer.status === 200, 'refresh', answer)) return undefined
  const tokens = JSON.parse(answer.body) as Refreshed
  known.set(number, tokens.refresh_token)
  return { ...tokens, app }
}

/**
 * Each person does this once before it is measured: pages of indexes that were filled in one go are full, so the first row that is added to
 * one splits it, which writes some six pages. Pages that have grown are half empty, and have a split once in dozens of rows.
 */
async function byEachPerson(site: Site, act: (person: number) => Promise<unknown>): Promise<void> {
  const waiting = [...site.active]
  const worker = async () => {
    for (let person = waiting.pop(); person !== undefined; person = waiting.pop()) await act(person)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** Sites whose people have refreshed a token of each of their apps since the seed. */
const refreshed = new WeakSet<Site>()

export const refresh: ScaleWorkload = async (site) => {
  if (!refreshed.has(site)) {
    await byEachPerson(site, async (person) => {
      for (let n = 0; n < APPS_PER_PERSON; n += 1) await refreshOne(site, person, n)
    })
  }
  refreshed.add(site)
  return async () => (await refreshRandom(site)) !== undefined
}

/** Access tokens of this many random people are in use at a time. */
const IN_USE = 500

async function accessTokens(site: Site): Promise<Refreshed[]> {
  const tokens: Refreshed[] = []
  while (tokens.length < IN_USE) {
    const made = await Promise.all(Array.from({ length: 10 }, () => refreshRandom(site)))
    tokens.push(...made.filter((one) => one !== undefined))
  }
  return tokens
}

export const userinfo: ScaleWorkload = async (site) => {
  const tokens = await accessTokens(site)
  const browser = new Browser(site.url)
  return async () => {
    const authorization = `Bearer ${randomOf(tokens).access_token}`
    const answer = await browser.request('GET', '/userinfo', { authorization })
    return check(answer.status === 200, 'userinfo', answer)
  }
}

export const introspection: ScaleWorkload = async (site) => {
  const tokens = await accessTokens(site)
  const browser = new Browser(site.url)
  return async () => {
    const { access_token, app } = randomOf(tokens)
    const request = { body: `token=${access_token}`, type: FORM, authorization: basic(app) }
    const answer = await browser.request('POST', '/introspect', request)
    return check(answer.body.startsWith('{"active":true'), 'introspection', answer)
  }
}

/** Sites whose people have all signed in to an app since the seed. */
const used = new WeakSet<Site>()

export const codeExchange: ScaleWorkload = async (site) => {
  if (!used.has(site)) await byEachPerson(site, (person) => exchangeCode(site, person))
  used.add(site)
  return () => exchangeCode(site, randomOf(site.active))
}

async function exchangeCode(site: Site, person: number): Promise<boolean> {
  const app = appOf(site, person, 0)
  const browser = new Browser(site.url, cookiesOf(site.seeded, person))
  const { answer, form } = await requestCode({ browser, app, scopes: SCOPES }, REDIRECT_URI)
  if (!form) return check(false, 'authorization', answer)
  return (await requestToken(site.url, form, app, (refused) => check(false, 'code', refused))) !== undefined
}

export const signedCredentials: ScaleWorkload = async ({ url, service, service_scope }) => {
  const form = { grant_type: 'client_credentials', scope: service_scope }
  const refused = (answer: Answer) => check(false, 'client credentials', answer)
  return async () => (await requestToken(url, form, service, refused)) !== undefined
}

export const signIn: ScaleWorkload = async (site) => async () => {
  const body = JSON.stringify({ username: seedEmail(randomOf(site.active)), password: site.seeded.facts.password })
  const answer = await new Browser(site.url).request('POST', '/v1/auth/login', { body, type: 'application/json' })
  return check(answer.status === 200, 'sign-in', answer)
}

/** So many people have a browser of their own. */
const BROWSERS = 200
const signedInPeople = new WeakMap<Site, Cookies[]>()

export const profile: ScaleWorkload = async (site) => {
  const people = signedInPeople.get(site) ?? []
  const step = Math.floor(site.active.length / BROWSERS)
  // A long run outlives the access cookies.
  for (const cookies of people) await apiClient({ url: site.url, cookies })(sessions.refresh, {})
  while (people.length < BROWSERS) people.push(await signedIn(site, site.active[people.length * step] ?? 0))
  signedInPeople.set(site, people)
  return async () => {
    const answer = await new Browser(site.url, randomOf(people)).request('GET', '/v1/account')
    return check(answer.status === 200, 'profile', answer)
  }
}

function randomOf<T>(list: readonly T[]): T {
  return list[randomInt(list.length)] as T
}

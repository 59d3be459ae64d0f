import { randomInt } from 'node:crypto'
import { seedEmail, seedToken } from '../../server/src/seed/installation.ts'
import type { Cookies } from '../../testing/api-client.ts'
import { Browser } from '../browser.ts'
import { basic, FORM, requestCode, requestToken } from '../workloads.ts'
import { appOf, cookiesOf, type Site, signedIn } from './people.ts'

/** Prepares a site and returns one operation of a random active person, which returns whether it succeeded. */
export type ScaleWorkload = (site: Site) => Promise<() => Promise<boolean>>

const REDIRECT_URI = 'http://localhost:4000/callback'
const SCOPES = ['openid', 'profile', 'email']
const TOKENS_PER_PERSON = 5

/** Refresh tokens that were received for a seeded one, by its number; null while one is on its way. */
const rotated = new WeakMap<Site, Map<number, string | null>>()

type Refreshed = { access_token: string; refresh_token: string; app: ReturnType<typeof appOf> }

async function refreshRandom(site: Site): Promise<Refreshed | undefined> {
  const known = rotated.get(site) ?? new Map<number, string | null>()
  rotated.set(site, known)
  for (;;) {
    const person = randomOf(site.active)
    const n = randomInt(TOKENS_PER_PERSON)
    const number = person * TOKENS_PER_PERSON + n
    const refresh_token = known.get(number) ?? (known.has(number) ? null : seedToken(site.seeded.facts.key, number))
    if (refresh_token === null) continue
    known.set(number, null)
    const app = appOf(site, person, n % 2)
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString()
    const request = { body, type: FORM, authorization: basic(app) }
    const answer = await new Browser(site.url).request('POST', '/token', request)
    // One that an earlier run has used.
    if (answer.status === 400) continue
    if (answer.status !== 200) return undefined
    const tokens = JSON.parse(answer.body) as Refreshed
    known.set(number, tokens.refresh_token)
    return { ...tokens, app }
  }
}

export const refresh: ScaleWorkload = async (site) => async () => (await refreshRandom(site)) !== undefined

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
    return (await browser.request('GET', '/userinfo', { authorization })).status === 200
  }
}

export const introspection: ScaleWorkload = async (site) => {
  const tokens = await accessTokens(site)
  const browser = new Browser(site.url)
  return async () => {
    const { access_token, app } = randomOf(tokens)
    const request = { body: `token=${access_token}`, type: FORM, authorization: basic(app) }
    return (await browser.request('POST', '/introspect', request)).body.startsWith('{"active":true')
  }
}

export const codeExchange: ScaleWorkload = async (site) => async () => {
  const person = randomOf(site.active)
  const app = appOf(site, person, 0)
  const browser = new Browser(site.url, cookiesOf(site.seeded, person))
  const { form } = await requestCode({ browser, app, scopes: SCOPES }, REDIRECT_URI)
  return form !== undefined && (await requestToken(site.url, form, app)) !== undefined
}

export const signedCredentials: ScaleWorkload = async ({ url, service, service_scope }) => {
  const form = { grant_type: 'client_credentials', scope: service_scope }
  return async () => (await requestToken(url, form, service)) !== undefined
}

export const signIn: ScaleWorkload = async (site) => async () => {
  const body = JSON.stringify({ username: seedEmail(randomOf(site.active)), password: site.seeded.facts.password })
  const answer = await new Browser(site.url).request('POST', '/v1/auth/login', { body, type: 'application/json' })
  return answer.status === 200
}

/** So many people have a browser of their own. */
const BROWSERS = 200
const signedInPeople = new WeakMap<Site, Cookies[]>()

export const profile: ScaleWorkload = async (site) => {
  const people = signedInPeople.get(site) ?? []
  const step = site.active.length / BROWSERS
  while (people.length < BROWSERS) people.push(await signedIn(site, site.active[people.length * step] ?? 0))
  signedInPeople.set(site, people)
  return async () => (await new Browser(site.url, randomOf(people)).request('GET', '/v1/account')).status === 200
}

function randomOf<T>(list: readonly T[]): T {
  return list[randomInt(list.length)] as T
}

import { randomBytes, randomInt } from 'node:crypto'
import { type Api, clients, security, sessions, signIn } from '@vrata/contract'
import { seedClient, seedEmail, seedSession } from '../../server/src/seed/installation.ts'
import { totp } from '../../server/test/second-factor.ts'
import { apiClient, type Cookies, dataOf } from '../../testing/api-client.ts'
import { Browser } from '../browser.ts'
import { type App, createService } from '../installation.ts'
import type { VrataTarget } from '../targets.ts'
import type { Seeded } from './databases.ts'

/** People who do something; as many in every size, so that only what lies between them differs. */
const ACTIVE = 1000
/** Others, in a large database that is used again: the refresh tokens of the former ones are spent. */
const OFFSET = Number(process.env.OFFSET ?? 0)

/** A running server on a seeded database. */
export interface Site {
  seeded: Seeded
  target: VrataTarget
  url: string
  /** Numbers of the active people, spread over all. */
  active: number[]
  /** Apps that are not used. */
  avoided: string[]
  service: App
  service_scope: string
  owner: Api
  operator: Api
}

const APPS = { apps: 20 }

/** The app of a connection of a person. */
export function appOf({ seeded: { facts } }: Pick<Site, 'seeded'>, person: number, connection: number): App {
  return { client_id: seedClient(APPS, person, connection), client_secret: facts.client_secret }
}

/** Cookies of a seeded session. */
export function cookiesOf({ facts }: Seeded, person: number, session = 0): Cookies {
  return new Map([['vrata_sid', encodeURIComponent(seedSession(facts.key, person, session))]])
}

/**
 * The browser of a person, with a new access cookie. Its session is not that of `cookiesOf`, because renewing replaces the cookie;
 * in a database that is used again the seeded cookie is spent, and the person signs in.
 */
export async function signedIn({ seeded, url }: Pick<Site, 'seeded' | 'url'>, person: number): Promise<Cookies> {
  const cookies = cookiesOf(seeded, person, 1)
  if ((await apiClient({ url, cookies })(sessions.refresh, {})).ok) return cookies
  cookies.clear()
  const body = JSON.stringify({ username: seedEmail(person), password: seeded.facts.password })
  // From a network of its own, as far as rate limits can tell.
  const answer = await new Browser(url, cookies).request('POST', '/v1/auth/login', { body, type: 'application/json' })
  if (answer.status !== 200) throw new Error(`The sign-in failed: ${answer.body}`)
  return cookies
}

/** Prepares what the seed does not have: apps with ES256, a service and an operator. */
export async function prepare(seeded: Seeded, target: VrataTarget): Promise<Site> {
  const { url } = target
  const owner = apiClient({ url, cookies: await signedIn({ seeded, url }, 0) })
  const { developer_accounts } = dataOf(await owner(sessions.refresh, {}))
  const organization = developer_accounts.find(({ name }) => name === 'Seed')
  if (!organization) throw new Error('The owner has no organization.')
  dataOf(await owner(sessions.refresh, { developer_id: organization.developer_id }))
  const avoided: string[] = []
  for (let n = 0; n < APPS.apps; n += 1) {
    const id = `vrt_seed${n}`
    const info = await owner(clients.getClientInfo, { id })
    // An earlier run has ended it.
    if (!info.ok || !info.data.enabled) avoided.push(id)
    else dataOf(await owner(clients.updateAdvanced, { id, id_token_signed_response_alg: 'ES256' }))
  }
  // Another one in each run, because its secret is shown once.
  const service_scope = `scale${randomBytes(4).toString('hex')}.read`
  const service = await createService(owner, 'ES256', service_scope)
  const { operator, person } = await operatorOf(seeded, url)
  const apart = Math.floor(seeded.users / ACTIVE)
  const all = Array.from({ length: ACTIVE }, (_, i) => Math.floor((i * seeded.users) / ACTIVE) + (OFFSET % apart))
  // A second factor ends the seeded sessions of the operator, and the seeded cookie of the owner is used already.
  const active = all.filter((number) => number !== person && number !== 0)
  return {
    seeded,
    target,
    url,
    active,
    avoided,
    service,
    service_scope,
    owner,
    operator,
  }
}

/** Makes a person an operator. */
async function operatorOf({ users, facts, vrata }: Seeded, url: string): Promise<{ operator: Api; person: number }> {
  const person = 1 + randomInt(users - 1)
  const email = seedEmail(person)
  const call = apiClient({ url })
  dataOf(await call(signIn.login, { username: email, password: facts.password }))
  const { secret } = dataOf(await call(security.enableOtp))
  dataOf(await call(security.confirmOtp, { otp_token: totp(secret, Date.now()) }))
  vrata('operator', 'add', email)
  return { operator: call, person }
}

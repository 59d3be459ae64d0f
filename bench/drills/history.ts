import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, Browser } from '../browser.ts'
import type { App, Installation } from '../installation.ts'
import { basic, FORM, requestCode } from '../operations/workloads.ts'

/** One call as its client saw it; see bench/histories/main.go. Times in nanoseconds. */
type Call = {
  key: string
  model: 'code' | 'family' | 'life'
  op: string
  arg: string
  result: 'ok' | 'refused' | 'unknown'
  value: string
  start: number
  end: number
}
type Asked = Pick<Call, 'key' | 'model' | 'op'> & { arg?: string }
type Judged = Pick<Call, 'result'> & { value?: string }

/** People with one password, whose addresses are taken one after the other. */
export type People = { password: string; emails: string[] }

/** A client: a person with a session and a connection to the app. All its chains of calls follow one another. */
type Client = { email: string; password: string; installation: Installation; isCertain: boolean }

const UNKNOWN: Judged = { result: 'unknown' }
/** One of this many chains is of this kind; a sign-in costs a hundred times as much as the other calls. */
const KINDS = ['code', 'family', 'family', 'token', 'token', 'grant', 'grant', 'session'] as const
/** Refresh tokens of a chain. */
const REFRESHES = 20
/** Milliseconds after a call without a clear answer; most often no server could answer the next one. */
const AFTER_UNKNOWN = 300

type Options = {
  installation: Installation
  people: People
  /** The servers, which are called without the proxy. */
  urls: string[]
  /** One call a line. */
  file: string
}

/** Clients that send calls to different servers at once and record them in a file. */
export class History {
  calls = 0
  readonly #options: Options
  #keys = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Begins chains of calls until so many calls are recorded. */
  async record(most: number, workers = 12): Promise<void> {
    const work = async () => {
      let client: Client | undefined
      while (this.calls < most) {
        // A chain whose preparation meets a server that is down is not recorded.
        try {
          // A call that may still take place would change the next chains of the same person.
          if (!client?.isCertain) client = await this.#newClient()
          await this.#chain(client)
        } catch {
          await pause(AFTER_UNKNOWN)
        }
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
  }

  async #newClient(): Promise<Client> {
    const { installation, people } = this.#options
    const email = people.emails.pop()
    if (!email) throw new Error('There are no more people')
    const { password } = people
    const browser = await this.#signIn({ email, password })
    const client = { email, password, installation: { ...installation, browser }, isCertain: true }
    await this.#connect(client)
    return client
  }

  async #chain(client: Client): Promise<void> {
    const kind = KINDS[Math.floor(Math.random() * KINDS.length)]
    const key = `${kind}-${(this.#keys += 1)}`
    if (kind === 'code') await this.#code(key, client)
    else if (kind === 'family') await this.#family(key, client)
    else if (kind === 'token') await this.#serviceToken(key, client)
    else if (kind === 'grant') await this.#grant(key, client)
    else await this.#session(key, client)
  }

  /** The same code is redeemed three times at once. */
  async #code(key: string, client: Client): Promise<void> {
    const form = await this.#newCode(client)
    const redeem = () =>
      this.#note(client, { key, model: 'code', op: 'redeem' }, () => this.#post('/token', form), judgeTokens)
    await Promise.all([redeem(), redeem(), redeem()])
  }

  /** Refresh tokens are used one after the other, now and then the same one twice at once; at the end a former one, and the last. */
  async #family(key: string, client: Client): Promise<void> {
    let { refresh_token } = await this.#tokens(client)
    const former = refresh_token
    const use = (arg: string) => {
      const sent = { grant_type: 'refresh_token', refresh_token: arg }
      return this.#note(
        client,
        { key, model: 'family', op: 'refresh', arg },
        () => this.#post('/token', sent),
        judgeTokens,
      )
    }
    for (let i = 0, unsuccessful = 0; i < REFRESHES && unsuccessful < 2; i += 1) {
      const one = refresh_token
      const answers = await Promise.all(Math.random() < 0.05 ? [use(one), use(one)] : [use(one)])
      const next = answers.find(({ result }) => result === 'ok')?.value
      refresh_token = next ?? refresh_token
      unsuccessful = next ? 0 : unsuccessful + 1
    }
    await Promise.all([use(former), use(refresh_token)])
    await use(refresh_token)
  }

  /** An access token of a service is revoked by it. */
  async #serviceToken(key: string, client: Client): Promise<void> {
    const { service } = this.#options.installation
    const made = await reach(() => this.#post('/token', { grant_type: 'client_credentials' }, service))
    if (made.status !== 200) throw new Error(`No token: ${made.status}`)
    const token = JSON.parse(made.body).access_token as string
    await this.#life(
      client,
      key,
      { send: () => this.#post('/introspect', { token }, service), judge: judgeIntrospection },
      () => this.#post('/revoke', { token }, service),
    )
  }

  /** A person takes a scope back, or disconnects the app; both end the access token of the app. */
  async #grant(key: string, client: Client): Promise<void> {
    const { app } = client.installation
    const { access_token: token } = await this.#tokens(client)
    const path = `/v1/connection/${app.client_id}${Math.random() < 0.5 ? '' : '/scopes/email'}`
    await this.#life(client, key, { send: () => this.#post('/introspect', { token }), judge: judgeIntrospection }, () =>
      this.#at(client).browser.request('DELETE', path),
    )
    await this.#connect(client)
  }

  /** Another session of the person ends, because the person signs out there, or changes the password here. */
  async #session(key: string, client: Client): Promise<void> {
    const other = await this.#signIn(client)
    const new_password = `vrata-${randomBytes(12).toString('base64url')}`
    const change = JSON.stringify({ current_password: client.password, new_password })
    const isChange = Math.random() < 0.5
    await this.#life(
      client,
      key,
      // Reads of a session must not replace its cookies while others use them.
      { send: () => this.#somewhere(other).request('GET', '/v1/account'), judge: judgeAccount },
      async () => {
        if (!isChange) return await this.#somewhere(other).request('POST', '/v1/auth/logout')
        const request = { body: change, type: 'application/json' }
        return await this.#at(client).browser.request('PUT', '/v1/account/password', request)
      },
    )
    if (isChange) client.password = new_password
  }

  /** Something is read before, while and after it is ended. */
  async #life(
    client: Client,
    key: string,
    { send, judge }: { send: () => Promise<Answer>; judge: (answer: Answer) => Judged },
    finish: () => Promise<Answer>,
  ): Promise<void> {
    const read = () => this.#note(client, { key, model: 'life', op: 'read' }, send, judge)
    const end = () => this.#note(client, { key, model: 'life', op: 'end' }, finish, judgeEnd)
    await Promise.all([read(), read()])
    await Promise.all([read(), end(), read()])
    await Promise.all([read(), read(), read()])
    await read()
  }

  async #note(
    client: Client,
    asked: Asked,
    send: () => Promise<Answer>,
    judge: (answer: Answer) => Judged,
  ): Promise<Judged> {
    const start = nanoseconds()
    const judged = await reach(send).then(judge, () => UNKNOWN)
    const call: Call = { arg: '', value: '', ...asked, ...judged, start, end: nanoseconds() }
    this.calls += 1
    appendFileSync(this.#options.file, `${JSON.stringify(call)}\n`)
    if (judged.result === 'unknown') {
      if (asked.op !== 'read') client.isCertain = false
      await pause(AFTER_UNKNOWN)
    }
    return judged
  }

  async #signIn({ email, password }: { email: string; password: string }): Promise<Browser> {
    const body = JSON.stringify({ username: email, password })
    return await reach(async () => {
      const browser = this.#somewhere(new Map())
      const { status } = await browser.request('POST', '/v1/auth/login', { body, type: 'application/json' })
      if (status !== 200) throw new Error(`Not signed in: ${status}`)
      return browser
    })
  }

  /** Allows the app its scopes. */
  async #connect(client: Client): Promise<void> {
    const { app, scopes } = client.installation
    const request = { body: JSON.stringify({ scopes }), type: 'application/json' }
    const path = `/v1/connection/${app.client_id}/scopes`
    const { status } = await reach(() => this.#at(client).browser.request('PUT', path, request))
    if (status === 200) return
    client.isCertain = false
    throw new Error(`Not connected: ${status}`)
  }

  async #newCode(client: Client): Promise<Record<string, string>> {
    const { form, answer } = await reach(() => requestCode(this.#at(client)))
    if (!form) throw new Error(`No code: ${answer.status}`)
    return form
  }

  async #tokens(client: Client): Promise<{ access_token: string; refresh_token: string }> {
    const form = await this.#newCode(client)
    const first = await reach(() => this.#post('/token', form))
    if (first.status !== 200) throw new Error(`No tokens: ${first.status}`)
    return JSON.parse(first.body)
  }

  #post(path: string, form: Record<string, string>, app: App = this.#options.installation.app): Promise<Answer> {
    const body = new URLSearchParams(form).toString()
    return this.#somewhere(new Map()).request('POST', path, { body, type: FORM, authorization: basic(app) })
  }

  /** A browser with a copy of these cookies, at one of the servers. */
  #somewhere(from: Browser | Browser['cookies']): Browser {
    const { urls, installation } = this.#options
    const url = urls[Math.floor(Math.random() * urls.length)] as string
    return new Browser(url, new Map(from instanceof Browser ? from.cookies : from), installation.url)
  }

  /** The state of the client, used at one of the servers; new cookies are kept. */
  #at({ installation }: Client): Installation {
    return { ...installation, browser: installation.browser.at(this.#somewhere(new Map()).url) }
  }
}

/** Sends a request again, most often to another server, while nothing listens where it went; nothing was sent then. */
async function reach<T>(send: () => Promise<T>, tries = 10): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNREFUSED' || tries === 1) throw error
    return await reach(send, tries - 1)
  }
}

/** 503 and other errors say nothing about what has taken place. */
function judgeTokens({ status, body }: Answer): Judged {
  if (status === 200) return { result: 'ok', value: JSON.parse(body).refresh_token }
  return status === 400 ? { result: 'refused' } : UNKNOWN
}

function judgeIntrospection({ status, body }: Answer): Judged {
  return status === 200 ? { result: 'ok', value: JSON.parse(body).active ? 'active' : 'ended' } : UNKNOWN
}

function judgeAccount({ status }: Answer): Judged {
  if (status !== 200 && status !== 401) return UNKNOWN
  return { result: 'ok', value: status === 200 ? 'active' : 'ended' }
}

function judgeEnd({ status }: Answer): Judged {
  return status === 200 ? { result: 'ok' } : UNKNOWN
}

function nanoseconds(): number {
  return Math.round(performance.now() * 1e6)
}

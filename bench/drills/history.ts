import { appendFileSync } from 'node:fs'
import { type Answer, Browser } from '../browser.ts'
import { type App, type Installation, USER } from '../installation.ts'
import { basic, FORM, requestCode } from '../workloads.ts'

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

const UNKNOWN: Judged = { result: 'unknown' }
/** How many chains of each kind begin; a sign-in costs a hundred times as much as the others. */
const KINDS = ['code', 'code', 'family', 'family', 'token', 'token', 'token', 'token', 'token', 'session'] as const

/** Clients that send calls to different servers at once and record them in a file, one a line. */
export class History {
  calls = 0
  readonly #installation: Installation
  readonly #urls: string[]
  readonly #file: string
  #keys = 0

  /** `urls`: the servers, which are called without the proxy. */
  constructor(installation: Installation, urls: string[], file: string) {
    this.#installation = installation
    this.#urls = urls
    this.#file = file
  }

  /** Begins chains of calls until so many calls are recorded. */
  async record(most: number, workers = 8): Promise<void> {
    const work = async () => {
      while (this.calls < most) {
        const kind = KINDS[Math.floor(Math.random() * KINDS.length)]
        const key = `${kind}-${(this.#keys += 1)}`
        // A chain whose preparation meets a server that is down is not recorded.
        if (kind === 'code') await this.#code(key).catch(() => {})
        else if (kind === 'family') await this.#family(key).catch(() => {})
        else if (kind === 'token') await this.#accessToken(key).catch(() => {})
        else await this.#session(key).catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
  }

  /** The same code is redeemed three times at once. */
  async #code(key: string): Promise<void> {
    const { form } = await requestCode(this.#at())
    if (!form) return
    const redeem = () => this.#note({ key, model: 'code', op: 'redeem' }, () => this.#post('/token', form), judgeTokens)
    await Promise.all([redeem(), redeem(), redeem()])
  }

  /** Refresh tokens are used one after the other, now and then the same one twice at once. */
  async #family(key: string): Promise<void> {
    const { form } = await requestCode(this.#at())
    if (!form) return
    const first = await this.#post('/token', form)
    if (first.status !== 200) return
    let refresh_token = JSON.parse(first.body).refresh_token as string
    for (let i = 0; i < 8; i += 1) {
      const arg = refresh_token
      const use = () => {
        const sent = { grant_type: 'refresh_token', refresh_token: arg }
        return this.#note({ key, model: 'family', op: 'refresh', arg }, () => this.#post('/token', sent), judgeTokens)
      }
      const answers = await Promise.all(Math.random() < 0.15 ? [use(), use()] : [use()])
      refresh_token = answers.find(({ result }) => result === 'ok')?.value ?? refresh_token
    }
  }

  /** An access token is introspected before, while and after it is revoked. */
  async #accessToken(key: string): Promise<void> {
    const { service } = this.#installation
    const made = await this.#post('/token', { grant_type: 'client_credentials' }, service)
    if (made.status !== 200) return
    const token = JSON.parse(made.body).access_token as string
    const read = () =>
      this.#note(
        { key, model: 'life', op: 'read' },
        () => this.#post('/introspect', { token }, service),
        judgeIntrospection,
      )
    const end = () =>
      this.#note({ key, model: 'life', op: 'end' }, () => this.#post('/revoke', { token }, service), judgeEnd)
    await Promise.all([read(), read()])
    await Promise.all([read(), end(), read()])
    await Promise.all([read(), read(), read()])
  }

  /** A session is read before, while and after its person signs out. */
  async #session(key: string): Promise<void> {
    const cookies = new Map<string, string>()
    const { url } = this.#installation
    const browser = (jar = new Map(cookies)) => new Browser(this.#url(), jar, url)
    const body = JSON.stringify({ username: USER.email, password: USER.password })
    const signedIn = await browser(cookies).request('POST', '/v1/auth/login', { body, type: 'application/json' })
    if (signedIn.status !== 200) return
    const read = () =>
      this.#note({ key, model: 'life', op: 'read' }, () => browser().request('GET', '/v1/account'), judgeAccount)
    const end = () =>
      this.#note({ key, model: 'life', op: 'end' }, () => browser().request('POST', '/v1/auth/logout'), judgeEnd)
    await Promise.all([read(), read()])
    await Promise.all([read(), end(), read()])
    await Promise.all([read(), read(), read()])
  }

  async #note(asked: Asked, send: () => Promise<Answer>, judge: (answer: Answer) => Judged): Promise<Judged> {
    const start = nanoseconds()
    const judged = await send().then(judge, () => UNKNOWN)
    const call: Call = { arg: '', value: '', ...asked, ...judged, start, end: nanoseconds() }
    this.calls += 1
    appendFileSync(this.#file, `${JSON.stringify(call)}\n`)
    return judged
  }

  #post(path: string, form: Record<string, string>, app: App = this.#installation.app): Promise<Answer> {
    const body = new URLSearchParams(form).toString()
    return new Browser(this.#url()).request('POST', path, { body, type: FORM, authorization: basic(app) })
  }

  #url(): string {
    return this.#urls[Math.floor(Math.random() * this.#urls.length)] as string
  }

  /** The installation at one of the servers. */
  #at(): Installation {
    return { ...this.#installation, browser: this.#installation.browser.at(this.#url()) }
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

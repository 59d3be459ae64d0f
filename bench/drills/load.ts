import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, Browser } from '../browser.ts'
import type { App, Installation } from '../installation.ts'
import { basic, FORM, requestCode } from '../operations/workloads.ts'

/** One request; times in milliseconds since the load began. */
type Call = { start: number; end: number; outcome: 'done' | 'refused' | 'failed'; detail: string }

/** Counts of what clients have seen. */
export type Figures = {
  requests: number
  /** Answered with 503 and Retry-After, and by the proxy alone, because it saw no server that was ready. */
  refused: number
  refused_by_proxy: number
  /** Answered otherwise than expected, or not at all. */
  failed: number
  /** Kinds of failures, with counts. */
  failures: Record<string, number>
  longest_ms: number
  /** Seconds from the start of the first request that was refused or failed to the end of the last one. */
  window_s: number
  /** Seconds from the damage to the end of the last one. */
  until_s: number
  /** Tokens that the client has received, and how many of them are not active afterwards. */
  written: number
  lost: number
  /** Operations that were not begun, because too many were unanswered. */
  not_sent: number
  /** Codes that were sent twice at once, and how many were redeemed twice. */
  codes: number
  spent_twice: number
}

/** Workers that wait a little between operations, or so many operations a second at the time, however long the answers take. */
export type Pace = { workers: number } | { rate: () => number }
/** Operations that may be unanswered at once with a rate. */
const UNANSWERED = 48

const BY_PROXY = 'by the proxy'
/** Milliseconds after which a token is asked for already during the load: after ten minutes it would have expired. */
const ASKED_AFTER = 300_000

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10
}

/** Reads, writes and redeems codes until it is stopped. */
export class Load {
  readonly #installation: Installation
  readonly #began = performance.now()
  readonly #calls: Call[] = []
  readonly #written: { token: string; at: number }[] = []
  readonly #done: Promise<unknown>
  #damagedAt = 0
  #asked = 0
  #lost = 0
  #notSent = 0
  #codes = 0
  #spentTwice = 0
  #stopped = false
  #refreshing: Promise<Answer> | undefined

  constructor(installation: Installation, pace: Pace = { workers: 6 }) {
    this.#installation = installation
    const kinds = [() => this.#read(), () => this.#write(), () => this.#spend()]
    const kind = (i: number) => kinds[i % kinds.length] as () => Promise<void>
    this.#done =
      'rate' in pace
        ? this.#keepRate(pace.rate, kind)
        : Promise.all(Array.from({ length: pace.workers }, (_, i) => this.#work(kind(i))))
  }

  /** Says that the damage begins now. */
  damaged(): void {
    this.#damagedAt = performance.now() - this.#began
  }

  /** Requests so far that were answered otherwise than expected, or not at all, and that began at this time or later. */
  failedSince(time: number): number {
    return this.#calls.filter(({ outcome, start }) => outcome === 'failed' && start + this.#began >= time).length
  }

  /** Ends the load and asks for every token that was received. */
  async stop(): Promise<Figures> {
    this.#stopped = true
    await this.#done
    while (this.#written.length > 0) await this.#askForOldest()
    const failing = this.#calls.filter(({ outcome }) => outcome !== 'done')
    const failures: Record<string, number> = {}
    for (const { outcome, detail } of failing) {
      if (outcome === 'failed') failures[detail] = (failures[detail] ?? 0) + 1
    }
    const from = failing.reduce((first, { start }) => Math.min(first, start), Number.POSITIVE_INFINITY)
    const to = failing.reduce((last, { end }) => Math.max(last, end), 0)
    return {
      requests: this.#calls.length,
      refused: failing.filter(({ outcome }) => outcome === 'refused').length,
      refused_by_proxy: failing.filter(({ detail }) => detail === BY_PROXY).length,
      failed: failing.filter(({ outcome }) => outcome === 'failed').length,
      failures,
      longest_ms: Math.round(this.#calls.reduce((longest, { start, end }) => Math.max(longest, end - start), 0)),
      window_s: failing.length ? seconds(to - from) : 0,
      until_s: failing.length ? seconds(to - this.#damagedAt) : 0,
      written: this.#asked,
      lost: this.#lost,
      not_sent: this.#notSent,
      codes: this.#codes,
      spent_twice: this.#spentTwice,
    }
  }

  async #work(operation: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      await operation()
      await pause(50 + Math.random() * 100)
    }
  }

  async #keepRate(rate: () => number, kind: (i: number) => () => Promise<void>): Promise<void> {
    const underWay = new Set<Promise<void>>()
    let next = performance.now()
    for (let i = 0; !this.#stopped; i += 1) {
      if (underWay.size < UNANSWERED) {
        const one = kind(i)().finally(() => underWay.delete(one))
        underWay.add(one)
      } else this.#notSent += 1
      // Requests that were due while this process was suspended are not sent later.
      next = Math.max(performance.now(), next + 1000 / rate())
      await pause(Math.max(0, next - performance.now()))
    }
    await Promise.all(underWay)
  }

  async #read(): Promise<void> {
    await this.#send(() => this.#account(), [200])
  }

  /** Replaces the cookies when the short one has expired, as the pages do; all workers share them. */
  async #account(): Promise<Answer> {
    const { browser } = this.#installation
    const answer = await browser.request('GET', '/v1/account')
    if (answer.status !== 401) return answer
    this.#refreshing ??= browser.request('PUT', '/v1/auth/refresh', { body: '{}', type: 'application/json' })
    await this.#refreshing.finally(() => {
      this.#refreshing = undefined
    })
    return await browser.request('GET', '/v1/account')
  }

  async #write(): Promise<void> {
    const answer = await this.#token(this.#installation.service, { grant_type: 'client_credentials' }, [200])
    const now = performance.now()
    if (answer?.status === 200) this.#written.push({ token: JSON.parse(answer.body).access_token, at: now })
    // All of them: on a machine that becomes slower, one for each write would not be enough.
    while ((this.#written[0]?.at ?? now) + ASKED_AFTER < now) await this.#askForOldest()
  }

  /** Sends the same code twice at once; HAProxy gives the requests to different servers. */
  async #spend(): Promise<void> {
    let form: Record<string, string> | undefined
    await this.#send(async () => {
      const asked = await requestCode(this.#installation)
      form = asked.form
      return asked.answer
    }, [303])
    const sent = form
    if (!sent) return
    this.#codes += 1
    const answers = await Promise.all([0, 1].map(() => this.#token(this.#installation.app, sent, [200, 400])))
    if (answers.filter((answer) => answer?.status === 200).length > 1) this.#spentTwice += 1
  }

  #token(app: App, form: Record<string, string>, expected: number[]): Promise<Answer | undefined> {
    const body = new URLSearchParams(form).toString()
    const request = { body, type: FORM, authorization: basic(app) }
    return this.#send(() => new Browser(this.#installation.url).request('POST', '/token', request), expected)
  }

  async #send(request: () => Promise<Answer>, expected: number[]): Promise<Answer | undefined> {
    const start = performance.now() - this.#began
    const note = (outcome: Call['outcome'], detail: string) => {
      this.#calls.push({ start, end: performance.now() - this.#began, outcome, detail })
    }
    try {
      const answer = await request()
      if (expected.includes(answer.status)) note('done', '')
      else if (answer.status === 503 && answer.retry_after)
        note('refused', answer.body.startsWith('Try again') ? BY_PROXY : '')
      else note('failed', `${answer.status} ${answer.body.slice(0, 80)}`)
      return answer
    } catch (error) {
      note('failed', (error as { code?: string }).code ?? String(error))
      return undefined
    }
  }

  /** Counts the oldest token that was received as lost if it is not active. */
  async #askForOldest(): Promise<void> {
    const { url, service } = this.#installation
    const oldest = this.#written.shift()
    if (!oldest) return
    const request = { body: `token=${oldest.token}`, type: FORM, authorization: basic(service) }
    const answer = await new Browser(url).request('POST', '/introspect', request).catch(() => undefined)
    if (!answer || answer.status === 503) {
      this.#written.unshift(oldest)
      await pause(100)
      return
    }
    this.#asked += 1
    if (answer.body.startsWith('{"active":true')) return
    this.#lost += 1
    console.error(`A token is not active: ${answer.status} ${answer.body.slice(0, 200)}`)
  }
}

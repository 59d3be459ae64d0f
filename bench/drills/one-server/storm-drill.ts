import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from '@vrata/contract'
import { apiClient, dataOf } from '../../../testing/api-client.ts'
import type { Browser } from '../../browser.ts'
import type { VrataTarget } from '../../targets.ts'
import { type OneServerDrill, quantile, underLoad } from './one-server.ts'

const PEOPLE = 20
const PASSWORD = 'kamen-na-kamen-palaca'
/** Sign-ins at once, and for how many seconds: what a server must bear, and more than its queue takes. */
const STORMS = [
  { at_once: 200, seconds: 20 },
  { at_once: 600, seconds: 20 },
]

export const STORM_DRILLS: Record<string, OneServerDrill> = {
  'sign-in-storm': {
    says: `${STORMS.map(({ at_once, seconds }) => `${at_once} people sign in at once for ${seconds} seconds`).join(', then ')}`,
    async run() {
      const { figures, seen } = await underLoad({
        async damage(target, { browser }) {
          const people = await registered(target)
          const idle = await readTimesOf(browser, async () => await pause(10_000))
          const seen: Record<string, number | string> = { idle_p95_ms: idle }
          for (const { at_once, seconds } of STORMS) {
            const storm = new Storm(target, people)
            const p95 = await readTimesOf(browser, () => storm.run(at_once, seconds))
            seen[`p95_ms_with_${at_once}`] = p95
            seen[`answers_with_${at_once}`] = JSON.stringify(storm.answers)
            seen[`longest_ms_with_${at_once}`] = Math.round(storm.longest)
            seen.memory_most = Math.max(Number(seen.memory_most ?? 0), storm.memory_most)
          }
          const began = performance.now()
          const { status } = await signInOf(target, people[0] ?? '')
          return { ...seen, afterwards_status: status, afterwards_ms: Math.round(performance.now() - began) }
        },
      })
      const answers = STORMS.map(({ at_once }) => Object.keys(JSON.parse(String(seen[`answers_with_${at_once}`]))))
      const wanted = {
        'answers are 200, and 503 or 429 with Retry-After': answers
          .flat()
          .every((one) => ['200', '503', '429'].includes(one)),
        'reads of others within 250 ms (p95)': Number(seen.p95_ms_with_200) <= 250,
        'at most 600 MiB': Number(seen.memory_most) <= 600,
        'well afterwards': seen.afterwards_status === 200 && Number(seen.afterwards_ms) < 1000,
        'nothing of others fails': figures.failed + figures.refused === 0,
      }
      return { figures, seen, wanted }
    },
  },
}

/** People who sign in again as soon as they have an answer. */
class Storm {
  /** Counts of statuses; one without Retry-After that needs it is named so. */
  readonly answers: Record<string, number> = {}
  longest = 0
  memory_most = 0
  readonly #target: VrataTarget
  readonly #people: string[]

  constructor(target: VrataTarget, people: string[]) {
    this.#target = target
    this.#people = people
  }

  async run(atOnce: number, seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000
    const watch = setInterval(() => {
      this.memory_most = Math.max(this.memory_most, this.#target.memory_mib())
    }, 200)
    await Promise.all(
      Array.from({ length: atOnce }, async (_, i) => {
        while (performance.now() < end) await this.#signIn(this.#people[i % PEOPLE] ?? '')
      }),
    )
    clearInterval(watch)
  }

  async #signIn(email: string): Promise<void> {
    const began = performance.now()
    const { status, retry_after } = await signInOf(this.#target, email).catch(
      (error): Answer => ({ status: String(error.cause?.code ?? error) }),
    )
    this.longest = Math.max(this.longest, performance.now() - began)
    const needed = status === 503 || status === 429
    const name = needed && !retry_after ? `${status} without Retry-After` : String(status)
    this.answers[name] = (this.answers[name] ?? 0) + 1
    if (retry_after) await pause(Number(retry_after) * 1000)
  }
}

async function registered({ url }: VrataTarget): Promise<string[]> {
  const emails = Array.from({ length: PEOPLE }, (_, n) => `oseba${n}@example.com`)
  for (const email of emails) {
    dataOf(
      await apiClient({ url })(signIn.register, { email, password: PASSWORD, first_name: 'Bor', last_name: 'Zajc' }),
    )
  }
  return emails
}

type Answer = { status: number | string; retry_after?: string | null }

/** Signs in by `fetch`, which opens as many connections as there are people; a `Browser` shares 64 with the measured reads. */
async function signInOf({ url }: VrataTarget, username: string): Promise<Answer> {
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ username, password: PASSWORD }),
    headers: {
      origin: url,
      'content-type': 'application/json',
      'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.1`,
    },
  })
  await answer.text()
  return { status: answer.status, retry_after: answer.headers.get('retry-after') }
}

/** Milliseconds that 95 of a hundred reads of another person do not exceed during the work. */
async function readTimesOf(browser: Browser, work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const began = performance.now()
      await browser.request('GET', '/v1/account')
      times.push(performance.now() - began)
      await pause(20)
    }
  })()
  await work()
  isOver = true
  await reading
  return Math.round(quantile(times, 0.95))
}

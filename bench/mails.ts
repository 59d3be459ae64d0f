/** What calls cost while the mail server takes connections and says nothing (issue 3: mails are nobody's wait). */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { startVrata } from './targets.ts'

const PEOPLE = 150
const READS = 10
const PASSWORD = 'kamen-na-kamen-palaca'

export async function benchMails(): Promise<void> {
  console.log('| p50 / p95 | register, which mails | read the account |\n| --- | ---: | ---: |')
  console.log(row('mails go to a folder', await cost({})))
  let held = 0
  const silent = createServer(() => {
    held += 1
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  console.log(row('the mail server hangs', await cost({ VRATA_SMTP_URL: `smtp://127.0.0.1:${port}` })))
  console.log(`\nThe mail server was called ${held} times.`)
}

type Cost = { register: number[]; read: number[] }

/** Milliseconds of each call, two people at a time. */
async function cost(settings: Record<string, string>): Promise<Cost> {
  const target = await startVrata({ settings })
  const cost: Cost = { register: [], read: [] }
  const one = async (i: number) => {
    // Everybody from a network of their own, so that the limits stand but do not bite.
    const headers = { origin: target.url, 'x-forwarded-for': `10.${i}.9.1` }
    const timed = async (times: number[] | undefined, path: string, init: RequestInit) => {
      const began = performance.now()
      const answer = await fetch(`${target.url}/v1${path}`, init)
      await answer.text()
      times?.push(performance.now() - began)
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      return answer
    }
    const body = JSON.stringify({ email: `oseba${i}@example.com`, password: PASSWORD })
    const sent = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
    // The first ones warm it up.
    const warm = i >= 20
    const { headers: got } = await timed(warm ? cost.register : undefined, '/auth/register', sent)
    const cookie = got
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    for (let n = 0; n < READS; n += 1) {
      await timed(warm ? cost.read : undefined, '/account', { headers: { ...headers, cookie } })
    }
  }
  try {
    let next = 0
    const worker = async () => {
      while (next < PEOPLE) await one(next++)
    }
    await Promise.all([worker(), worker()])
  } finally {
    await target.stop()
  }
  return cost
}

function row(name: string, { register, read }: Cost): string {
  const at = (times: number[]) => {
    const sorted = times.toSorted((a, b) => a - b)
    return [0.5, 0.95].map((part) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1)).join(' / ')
  }
  return `| ${name} | ${at(register)} ms | ${at(read)} ms |`
}

/** Latency of calls while the mail server accepts connections and never answers; sending a mail must not delay a call. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { startVrata } from './targets.ts'

const USERS = 150
const READS = 10
const PASSWORD = 'kamen-na-kamen-palaca'

export async function benchMails(): Promise<void> {
  console.log('| p50 / p95 | register, which sends a mail | read the account |\n| --- | ---: | ---: |')
  console.log(row('mails are written to a folder', await latencies({})))
  let connections = 0
  const silent = createServer(() => {
    connections += 1
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  console.log(row('the mail server does not answer', await latencies({ VRATA_SMTP_URL: `smtp://127.0.0.1:${port}` })))
  console.log(`\nThe mail server accepted ${connections} connections.`)
}

type Latencies = { register: number[]; read: number[] }

/** Milliseconds of each call, two users at a time. */
async function latencies(settings: Record<string, string>): Promise<Latencies> {
  const target = await startVrata({ settings })
  const measured: Latencies = { register: [], read: [] }
  const one = async (i: number) => {
    // Each user comes from another network, so that no rate limit is reached.
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
    // The first 20 users are the warm-up.
    const warm = i >= 20
    const { headers: got } = await timed(warm ? measured.register : undefined, '/auth/register', sent)
    const cookie = got
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    for (let n = 0; n < READS; n += 1) {
      await timed(warm ? measured.read : undefined, '/account', { headers: { ...headers, cookie } })
    }
  }
  try {
    let next = 0
    const worker = async () => {
      while (next < USERS) await one(next++)
    }
    await Promise.all([worker(), worker()])
  } finally {
    await target.stop()
  }
  return measured
}

function row(name: string, { register, read }: Latencies): string {
  const at = (times: number[]) => {
    const sorted = times.toSorted((a, b) => a - b)
    return [0.5, 0.95].map((part) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1)).join(' / ')
  }
  return `| ${name} | ${at(register)} ms | ${at(read)} ms |`
}

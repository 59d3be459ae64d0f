/**
 * `npm run bench`: what an operation costs, on SQLite and on PostgreSQL, beside the bare engine and a bare Fastify "hello"
 * in the same run, in alternating rounds (performance.md §2). CPU per operation is the figure to compare; requests per
 * second depend on the machine. Everything stays on the loopback interface, is bounded in time, and stops by itself.
 * ROUNDS, SECONDS and ONLY (a regular expression over the names) make it shorter.
 */
import { cpus, totalmem } from 'node:os'
import { startPostgres } from '../scripts/postgres.ts'
import { ensureServer } from '../scripts/server-bundle.ts'
import { bareHouse, furnish, type House } from './house.ts'
import { type Measured, measure, median } from './measure.ts'
import { paint } from './paint.ts'
import { startBareEngine, startHello, startVrata, type Target } from './targets.ts'
import {
  clientCredentials,
  codeExchange,
  hello,
  introspection,
  profile,
  refresh,
  signedCredentials,
  signIn,
  userinfo,
  type Workload,
} from './workloads.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 4)
const ONLY = new RegExp(process.env.ONLY ?? '')

const OURS = ['sqlite', 'postgres'] as const
const ENGINE = ['engine', ...OURS] as const
type On = 'hello' | (typeof ENGINE)[number]

const PLAN: { name: string; on: readonly On[]; connections?: number; workload: Workload }[] = [
  { name: 'hello of a bare Fastify', on: ['hello'], workload: hello },
  { name: 'client credentials, opaque (W1)', on: ENGINE, workload: clientCredentials },
  { name: 'client credentials, as a JWT (W1j)', on: ENGINE, workload: signedCredentials },
  { name: 'refresh with rotation (W2)', on: ENGINE, workload: refresh },
  { name: 'code exchange, two requests (W3)', on: ENGINE, workload: codeExchange },
  { name: 'userinfo (W4)', on: ENGINE, workload: userinfo },
  { name: 'introspection (W5)', on: ENGINE, workload: introspection },
  { name: 'sign-in, Argon2id 19 MiB (W6)', on: OURS, connections: 8, workload: signIn },
  { name: 'profile, `GET /v1/account` (W7)', on: OURS, workload: profile },
]

export async function benchOperations(): Promise<void> {
  await ensureServer()
  const postgres = await startPostgres()
  const targets: Record<On, Target> = {
    hello: await startHello(),
    engine: await startBareEngine(),
    sqlite: await startVrata(),
    postgres: await startVrata({ database: postgres }),
  }
  try {
    const idle = targets.sqlite.memory_mb()
    const houses: Record<On, House> = {
      hello: bareHouse(targets.hello.url),
      engine: bareHouse(targets.engine.url),
      sqlite: await furnish(targets.sqlite.url),
      postgres: await furnish(targets.postgres.url),
    }
    const plan = PLAN.filter(({ name }) => ONLY.test(name))
    const results = new Map<string, Measured[]>()
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, on, connections = 16, workload } of plan) {
        for (const one of on) {
          const measured = await measure(targets[one], houses[one], workload, { connections, seconds: SECONDS })
          const key = `${name} ${one}`
          results.set(key, [...(results.get(key) ?? []), measured])
          process.stderr.write('.')
        }
      }
    }
    console.log(`\n${machine()}\n`)
    console.log('| workload | on | CPU ms each | of the database | per second | p50 ms | p99 ms | failed |')
    console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
    for (const { name, on } of plan) {
      for (const one of on) {
        const rounds = results.get(`${name} ${one}`) ?? []
        const of = (pick: (measured: Measured) => number, digits = 0) => median(rounds.map(pick)).toFixed(digits)
        const cells = [
          of((r) => r.cpu_ms, 3),
          one === 'postgres' ? of((r) => r.database_ms, 3) : '',
          of((r) => r.per_second),
          of((r) => r.p50, 1),
          of((r) => r.p99, 1),
          rounds.reduce((sum, r) => sum + r.failed, 0),
        ]
        console.log(`| ${name} | ${one} | ${cells.join(' | ')} |`)
      }
    }
    const { ready_ms } = targets.sqlite
    console.log(
      `\nReady after ${ready_ms} ms; memory ${idle} MB idle, ${targets.sqlite.memory_mb()} MB after this load.`,
    )
    const painted = ONLY.source === '(?:)' && (await paint(`${targets.sqlite.url}/login`))
    if (painted) {
      const { first_ms, largest_ms } = painted
      console.log(
        `/login on slow 4G with the processor slowed four times: first paint ${Math.round(first_ms)} ms, largest ${Math.round(largest_ms)} ms.`,
      )
    }
  } finally {
    await Promise.all(Object.values(targets).map((target) => target.stop()))
    await postgres.stop()
  }
}

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}; SQLite in WAL with synchronous=FULL; medians of ${ROUNDS} rounds of ${SECONDS} s, server on one core.`
}

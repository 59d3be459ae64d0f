/**
 * `npm run bench`: CPU time of each operation on SQLite and on PostgreSQL, and in the same run of the reference provider and of
 * Fastify alone, in alternating rounds (performance §2). Compare CPU time per operation; requests per second depend on the
 * machine. Uses only the loopback interface.
 * Settings: ROUNDS, SECONDS, ONLY (a regular expression on the names of workloads).
 */
import { cpus, totalmem } from 'node:os'
import { startPostgres } from '../scripts/suites/postgres.ts'
import { type Installation, referenceInstallation, seedInstallation } from './installation.ts'
import { type Measured, measure, median } from './measure.ts'
import { paint } from './paint.ts'
import { startHello, startReferenceProvider, startVrata } from './targets.ts'
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

const VRATA = ['sqlite', 'postgres'] as const
const WITH_REFERENCE = ['reference', ...VRATA] as const
type On = 'hello' | (typeof WITH_REFERENCE)[number]

const PLAN: { name: string; on: readonly On[]; connections?: number; workload: Workload }[] = [
  { name: 'Fastify alone, one JSON response', on: ['hello'], workload: hello },
  { name: 'client credentials, opaque token (W1)', on: WITH_REFERENCE, workload: clientCredentials },
  { name: 'client credentials, JWT (W1j)', on: WITH_REFERENCE, workload: signedCredentials },
  { name: 'refresh with rotation (W2)', on: WITH_REFERENCE, workload: refresh },
  { name: 'code exchange, two requests (W3)', on: WITH_REFERENCE, workload: codeExchange },
  { name: 'userinfo (W4)', on: WITH_REFERENCE, workload: userinfo },
  { name: 'introspection (W5)', on: WITH_REFERENCE, workload: introspection },
  { name: 'sign-in, Argon2id 19 MiB (W6)', on: VRATA, connections: 8, workload: signIn },
  { name: 'profile, `GET /v1/account` (W7)', on: VRATA, workload: profile },
]

export async function benchOperations(): Promise<void> {
  const postgres = await startPostgres()
  const targets = {
    hello: await startHello(),
    reference: await startReferenceProvider(),
    sqlite: await startVrata(),
    postgres: await startVrata({ database: postgres }),
  }
  try {
    const idle = targets.sqlite.memory_mb()
    const installations: Record<On, Installation> = {
      hello: referenceInstallation(targets.hello.url),
      reference: referenceInstallation(targets.reference.url),
      sqlite: await seedInstallation(targets.sqlite),
      postgres: await seedInstallation(targets.postgres),
    }
    const plan = PLAN.filter(({ name }) => ONLY.test(name))
    const results = new Map<string, Measured[]>()
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, on, connections = 16, workload } of plan) {
        for (const one of on) {
          const measured = await measure(targets[one], installations[one], workload, { connections, seconds: SECONDS })
          const key = `${name} ${one}`
          results.set(key, [...(results.get(key) ?? []), measured])
          process.stderr.write('.')
        }
      }
    }
    console.log(`\n${machine()}\n`)
    console.log('| workload | on | CPU ms per operation | database CPU ms | per second | p50 ms | p99 ms | failed |')
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
      `\nReady after ${ready_ms} ms; memory ${idle} MB idle, ${targets.sqlite.memory_mb()} MB after all workloads.`,
    )
    const painted = ONLY.source === '(?:)' && (await paint(`${targets.sqlite.url}/login`))
    if (painted) {
      const { first_ms, largest_ms } = painted
      console.log(
        `/login on slow 4G with a CPU slowdown of four: first contentful paint ${Math.round(first_ms)} ms, largest contentful paint ${Math.round(largest_ms)} ms.`,
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

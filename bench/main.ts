/**
 * `npm run bench`: what one core answers, beside a bare Fastify "hello" in the same run, in alternating rounds
 * (performance.md §2). CPU per operation is the figure to compare; requests per second depend on the machine.
 * `npm run bench -- lists` measures the lists of an organisation instead, `-- sockets` a thousand open pages. Everything stays on the loopback interface, is bounded in time, and stops by itself.
 */
import { cpus, totalmem } from 'node:os'
import { benchLists } from './lists.ts'
import { type Measured, measure, median } from './measure.ts'
import { paint } from './paint.ts'
import { benchSockets } from './sockets.ts'
import { startHello, startVrata, type Target } from './targets.ts'
import { codeExchange, hello, profile, signIn, userinfo, type Workload } from './workloads.ts'

if (process.argv[2] === 'sockets') {
  await benchSockets()
  process.exit()
}
if (process.argv[2] === 'lists') {
  await benchLists()
  process.exit()
}

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 4)

const plan: { name: string; on: 'hello' | 'vrata'; connections: number; workload: Workload }[] = [
  { name: 'bare Fastify "hello"', on: 'hello', connections: 16, workload: hello },
  { name: 'profile read, GET /v1/account (W7)', on: 'vrata', connections: 16, workload: profile },
  { name: 'userinfo (W4)', on: 'vrata', connections: 16, workload: userinfo },
  { name: 'code exchange: authorize + token (W3)', on: 'vrata', connections: 16, workload: codeExchange },
  { name: 'sign-in, argon2id 19 MiB (W6)', on: 'vrata', connections: 8, workload: signIn },
]

const targets: Record<'hello' | 'vrata', Target> = { hello: await startHello(), vrata: await startVrata() }
const results = new Map<string, Measured[]>()
try {
  console.log(`Ready after ${targets.vrata.ready_ms} ms; idle memory ${targets.vrata.memory_mb()} MB.`)
  const painted = await paint(`${targets.vrata.url}/login`)
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const { name, on, connections, workload } of plan) {
      const measured = await measure(targets[on], workload, { connections, seconds: SECONDS })
      results.set(name, [...(results.get(name) ?? []), measured])
      process.stdout.write('.')
    }
  }
  console.log(`\n\n${machine()}\n`)
  console.log(
    '| workload | per second | CPU ms each | p50 ms | p99 ms | failed |\n| --- | ---: | ---: | ---: | ---: | ---: |',
  )
  for (const [name, rounds] of results) {
    const of = (pick: (one: Measured) => number) => median(rounds.map(pick))
    console.log(
      `| ${name} | ${Math.round(of((r) => r.per_second))} | ${of((r) => r.cpu_ms).toFixed(3)} | ${of((r) => r.p50).toFixed(1)} | ${of((r) => r.p99).toFixed(1)} | ${rounds.reduce((sum, r) => sum + r.failed, 0)} |`,
    )
  }
  if (painted) {
    const { first_ms, largest_ms } = painted
    console.log(
      `\n/login on slow 4G with the processor slowed four times: first paint ${Math.round(first_ms)} ms, largest ${Math.round(largest_ms)} ms.`,
    )
  }
  console.log(`\nMemory after all of it: ${targets.vrata.memory_mb()} MB.`)
} finally {
  await Promise.all(Object.values(targets).map((target) => target.stop()))
}

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${process.env.VRATA_DATABASE_URL ? 'PostgreSQL' : 'SQLite (WAL, synchronous=FULL)'}; medians of ${ROUNDS} rounds of ${SECONDS} s, server on one core.`
}

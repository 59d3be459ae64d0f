/**
 * `npm run bench`: CPU time of each operation on SQLite and on PostgreSQL, and in the same run of the reference provider and of
 * Fastify alone, in alternating rounds (performance §2). Compare CPU time per operation; requests per second depend on the
 * machine, and goals are given for one that computes as quickly (`machineSpeed`). Apps sign with ES256, as the goals assume; W1j, W2 and W3 are measured again with
 * RS256, with which new apps sign. Each workload runs some thousand times before its first round. Uses only the loopback interface. Takes about a
 * quarter of an hour on an idle machine.
 * Settings: ROUNDS, SECONDS, PEOPLE, ONLY (a regular expression on the names of workloads; Fastify alone is always measured).
 */
import { availableParallelism, cpus, totalmem } from 'node:os'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { type Installation, PEOPLE, referenceInstallation, seedInstallation } from '../installation.ts'
import { type Measured, measure, median, repeat } from '../measure.ts'
import { paint } from '../pages/paint.ts'
import { printStartAndMemory, settledMemory } from '../start.ts'
import { startBare, startHello, startReferenceProvider, startVrata, type Target } from '../targets.ts'
import { type MachineSpeed, machineSpeed } from './machine-speed.ts'
import { printTimeOfNewFile, timeOfNewFile } from './new-files.ts'
import { oneRequest } from './one-request.ts'
import { measureSignInLoad, SIGN_IN_LOAD_HEAD, type SignInLoad, signInLoadRow } from './sign-in-load.ts'
import {
  clientCredentials,
  codeExchange,
  introspection,
  profile,
  refresh,
  signedCredentials,
  signIn,
  signInAgain,
  userinfo,
  type Workload,
  withRsa,
} from './workloads.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 4)
const ONLY = new RegExp(process.env.ONLY ?? '')

const VRATA = ['sqlite', 'postgres'] as const
/** Vrata on SQLite with `VRATA_NATIVE_TOKENS=off`: oidc-provider answers every request of apps. */
const WITH_REFERENCE = ['reference', 'rows', 'engine', ...VRATA] as const
const READS = ['reference', 'rows', ...VRATA] as const
type On = 'bare' | 'hello' | (typeof WITH_REFERENCE)[number]

/** CPU ms of an operation, server and database, that are wanted on SQLite and on PostgreSQL (performance §3). */
type Goal = readonly [sqlite: number, postgres: number]
/** The 99th percentile of the latency, as a multiple of the median (performance §2). */
const TAIL = 4

/** Sign-ins per second, as a share of the hashes that a core computes (performance §2.2). */
const SIGN_INS_GOAL = 0.95

const FASTIFY_ALONE = 'Fastify alone, one JSON response'

interface Row {
  name: string
  on: readonly On[]
  goal?: Goal
  connections?: number
  /** Operations before the first round. */
  before: number
  workload: Workload
}

/**
 * Operations before the first round, so that V8 has compiled what it compiles: a profile needs 0.20 ms after 8,000, and 0.13 after 24,000. Each ends
 * earlier after `WARM_UP_SECONDS`. With RS256 the code is the same as with ES256, which was measured before.
 */
const BEFORE = { short: 24_000, refresh: 12_000, exchange: 8_000, again: 1_000, signIn: 1_000 } as const
const WARM_UP_SECONDS = 30

/** The goal is beside the hash, of which a core computes some eighty in a second. */
const SIGN_INS: Pick<Row, 'on' | 'goal' | 'connections' | 'before'> = {
  on: VRATA,
  goal: [0.3, 0.6],
  connections: 8,
  before: BEFORE.signIn,
}

/** Short operations. */
const { short: before } = BEFORE
const PLAN: Row[] = [
  { name: FASTIFY_ALONE, on: ['hello'], before, workload: oneRequest },
  { name: 'node:http alone, the same response', on: ['bare'], before, workload: oneRequest },
  { name: 'client credentials, opaque token (W1)', on: WITH_REFERENCE, before, workload: clientCredentials },
  {
    name: 'client credentials, JWT (W1j)',
    on: WITH_REFERENCE,
    before,
    goal: [0.06, 0.06],
    workload: signedCredentials,
  },
  {
    name: 'refresh with rotation (W2)',
    on: WITH_REFERENCE,
    before: BEFORE.refresh,
    goal: [0.115, 0.3],
    workload: refresh,
  },
  {
    name: 'code exchange, two requests (W3)',
    on: WITH_REFERENCE,
    before: BEFORE.exchange,
    goal: [0.185, 0.5],
    workload: codeExchange,
  },
  {
    name: 'client credentials, JWT, RS256 (W1j)',
    on: VRATA,
    before: BEFORE.again,
    workload: withRsa(signedCredentials),
  },
  { name: 'refresh with rotation, RS256 (W2)', on: VRATA, before: BEFORE.again, workload: withRsa(refresh) },
  { name: 'code exchange, RS256 (W3)', on: VRATA, before: BEFORE.again, workload: withRsa(codeExchange) },
  { name: 'userinfo (W4)', on: READS, before, goal: [0.03, 0.07], workload: userinfo },
  { name: 'introspection (W5)', on: READS, before, goal: [0.034, 0.08], workload: introspection },
  { name: 'sign-in, Argon2id 19 MiB (W6)', ...SIGN_INS, workload: signIn },
  { name: 'sign-in from a known browser (W6)', ...SIGN_INS, workload: signInAgain },
  { name: 'profile, `GET /v1/account` (W7)', on: VRATA, before, goal: [0.034, 0.09], workload: profile },
]

export async function benchOperations(): Promise<void> {
  const postgres = await startPostgres({ durable: true })
  const targets = {
    bare: await startBare(),
    hello: await startHello(),
    reference: await startReferenceProvider(),
    rows: await startReferenceProvider('rows'),
    engine: await startVrata({ settings: { VRATA_NATIVE_TOKENS: 'off' } }),
    sqlite: await startVrata(),
    postgres: await startVrata({ database: postgres }),
  }
  try {
    const idle = await settledMemory(targets)
    const installations: Record<On, Installation> = {
      bare: referenceInstallation(targets.bare.url),
      hello: referenceInstallation(targets.hello.url),
      reference: referenceInstallation(targets.reference.url),
      rows: referenceInstallation(targets.rows.url),
      engine: await seedInstallation(targets.engine, { people: PEOPLE }),
      sqlite: await seedInstallation(targets.sqlite, { people: PEOPLE }),
      postgres: await seedInstallation(targets.postgres, { people: PEOPLE }),
    }
    const speed = machineSpeed()
    const newFile = timeOfNewFile(targets.sqlite.data)
    const plan = PLAN.filter(({ name }) => name === FASTIFY_ALONE || ONLY.test(name))
    const results = new Map<string, Measured[]>()
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { name, on, connections = 16, before, workload } of plan) {
        for (const one of on) {
          if (round === 1) await repeat(await workload(installations[one]), connections, before, WARM_UP_SECONDS)
          const measured = await measure(targets[one], installations[one], workload, { connections, seconds: SECONDS })
          const key = `${name} ${one}`
          results.set(key, [...(results.get(key) ?? []), measured])
          process.stderr.write('.')
        }
      }
    }
    console.log(`\n${machine()}\n\n${speed.text}\n`)
    console.log(
      '| workload | on | CPU ms per operation | last round / first | database CPU ms | per second | p50 ms | p99 ms | failed |',
    )
    console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
    for (const { name, on } of plan) {
      for (const one of on) {
        const rounds = results.get(`${name} ${one}`) ?? []
        const of = (pick: (measured: Measured) => number, digits = 0) => median(rounds.map(pick)).toFixed(digits)
        const failed = rounds.reduce((sum, r) => sum + r.failed, 0)
        if (failed > 0) process.exitCode = 1
        const [first, last] = [rounds[0], rounds.at(-1)]
        const cells = [
          of((r) => r.cpu_ms, 3),
          // Far below 1, the first rounds have measured V8 compiling, too.
          ((last?.cpu_ms ?? Number.NaN) / (first?.cpu_ms ?? Number.NaN)).toFixed(2),
          one === 'postgres' ? of((r) => r.database_ms, 3) : '',
          of((r) => r.per_second),
          of((r) => r.p50, 1),
          of((r) => r.p99, 1),
          failed,
        ]
        console.log(`| ${name} | ${one} | ${cells.join(' | ')} |`)
      }
    }
    const middle = (name: string, on: On, pick: (measured: Measured) => number) =>
      median((results.get(`${name} ${on}`) ?? []).map(pick))
    printGoals(plan, middle, speed)
    printSignIns(plan, middle)
    printTimeOfNewFile(newFile, targets.sqlite.data)
    await printSignInsOnTwoCores(plan, targets, installations)
    if (ONLY.test('W9')) {
      const loads = new Map<string, SignInLoad[]>(VRATA.map((on) => [on, []]))
      for (let round = 1; round <= ROUNDS; round += 1) {
        for (const on of VRATA) {
          loads.get(on)?.push(await measureSignInLoad(targets[on], installations[on], SECONDS))
          process.stderr.write('.')
        }
      }
      console.log(
        `\nUserinfo while others sign in; p99 at most ${(15 * speed.slower).toFixed(0)} ms on this machine:\n`,
      )
      console.log(SIGN_IN_LOAD_HEAD)
      for (const [on, rounds] of loads) console.log(signInLoadRow(on, (pick) => median(rounds.map(pick)), speed.slower))
    }
    await printStartAndMemory(targets, idle)
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

type Middle = (name: string, on: On, pick: (measured: Measured) => number) => number

/** CPU ms of server and database beside the goal on this machine. The time of a hash is reported apart. */
function printGoals(plan: typeof PLAN, middle: Middle, { slower }: MachineSpeed): void {
  const cpu = ({ cpu_ms, database_ms }: Measured) => cpu_ms + database_ms
  const besideHash = (measured: Measured) => cpu(measured) - measured.pool_ms
  const ms = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(value < 1 ? 3 : 2))
  const tailOf = (name: string, on: On) => middle(name, on, ({ p50, p99 }) => p99 / p50)
  console.log(
    `\nCPU ms of an operation, server and database, and goals × ${slower.toFixed(2)}. Fastify alone ${middle(FASTIFY_ALONE, 'hello', cpu).toFixed(4)} ms, p99 / p50 ${tailOf(FASTIFY_ALONE, 'hello').toFixed(1)}:\n`,
  )
  console.log(
    '| workload | SQLite | goal | PostgreSQL | goal | SQLite, all by oidc-provider | oidc-provider alone, in memory | oidc-provider alone, a row each | p99 / p50, SQLite and PostgreSQL | short of the goal |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  for (const row of plan) {
    const { name, on, goal } = row
    if (on.includes('hello') || on.includes('bare')) continue
    const needed = (on: On) => middle(name, on, isSignIn(row) ? besideHash : cpu)
    const cells: string[] = []
    const short: string[] = []
    for (const [i, [on, database]] of (
      [
        ['sqlite', 'SQLite'],
        ['postgres', 'PostgreSQL'],
      ] as const
    ).entries()) {
      const wanted = (goal?.[i] ?? Number.NaN) * slower
      cells.push(ms(needed(on)), ms(wanted))
      if (needed(on) > wanted) short.push(`${database} ${(needed(on) / wanted).toFixed(1)} ×`)
      if (tailOf(name, on) > TAIL) short.push(`p99 on ${database}`)
    }
    const others = (['engine', 'reference', 'rows'] as const).map((on) => ms(needed(on)))
    const tails = `${tailOf(name, 'sqlite').toFixed(1)}, ${tailOf(name, 'postgres').toFixed(1)}`
    const hash = middle(name, 'sqlite', ({ pool_ms }) => pool_ms)
    const named = isSignIn(row) ? `${name}, beside ${hash.toFixed(1)} ms of the hash` : name
    console.log(`| ${named} | ${[...cells, ...others, tails, short.join(', ')].join(' | ')} |`)
  }
}

/** Sign-ins beside the hashes that one core computes (performance §2.2). The server has one core, on which it also does the rest. */
function printSignIns(plan: typeof PLAN, middle: Middle): void {
  for (const { name } of plan.filter(isSignIn)) {
    const [sqlite, postgres] = VRATA.map((on) => `${Math.round(100 * middle(name, on, shareOfHashes))} %`)
    console.log(
      `\n${name}, of the hashes that one core computes: SQLite ${sqlite}, PostgreSQL ${postgres} (goal ${100 * SIGN_INS_GOAL} %).`,
    )
  }
}

/** The same with a core beside that of the hashes, as the server divides two cores (performance §1). The load uses both, too. */
async function printSignInsOnTwoCores(
  plan: typeof PLAN,
  targets: Record<(typeof VRATA)[number], Target>,
  installations: Record<On, Installation>,
): Promise<void> {
  if (availableParallelism() < 2) return
  for (const { name, workload, connections = 16 } of plan.filter(isSignIn)) {
    const shares: string[] = []
    for (const on of VRATA) {
      targets[on].useCores('0,1')
      const rounds: Measured[] = []
      for (let round = 1; round <= ROUNDS; round += 1)
        rounds.push(await measure(targets[on], installations[on], workload, { connections, seconds: SECONDS }))
      targets[on].useCores('0')
      shares.push(`${Math.round(100 * median(rounds.map(shareOfHashes)))} %`)
    }
    console.log(
      `\n${name}, with two cores, of the hashes that one of them computes: SQLite ${shares[0]}, PostgreSQL ${shares[1]} (goal ${100 * SIGN_INS_GOAL} %).`,
    )
  }
}

const isSignIn = ({ workload }: Row) => workload === signIn || workload === signInAgain
const shareOfHashes = ({ per_second, pool_ms }: Measured) => (per_second * pool_ms) / 1000

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}; SQLite in WAL with synchronous=FULL; medians of ${ROUNDS} rounds of ${SECONDS} s, server on one core.`
}

/**
 * `npm run bench -- nodes`: two servers on one PostgreSQL beside one, in alternating rounds. Each request goes to either of them at
 * random. CPU time of the servers and of PostgreSQL for each operation may be ten percent more than with one server. Throughput may be 1.8 times
 * that of one, where each server, PostgreSQL and the load have free cores, or where SHARE limits each server to a share of one core, such as 0.2, after
 * a warm-up without it. Each server has the same number of requests at a time, so two have twice as many as one; with SAME_LOAD=1 they share those of
 * one. Settings: ROUNDS, SECONDS, ONLY, PEOPLE, SHARE (root only), SAME_LOAD.
 */
import { availableParallelism } from 'node:os'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { BALANCED } from '../browser.ts'
import { limitCpu } from '../cpu-limit.ts'
import { type Installation, PEOPLE, seedInstallation } from '../installation.ts'
import { type Measured, measure, median, repeat } from '../measure.ts'
import { startVrata, type Target } from '../targets.ts'
import { codeExchange, introspection, profile, refresh, signedCredentials, signIn, userinfo } from './workloads.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 3)
const ONLY = new RegExp(process.env.ONLY ?? '')
const SHARE = Number(process.env.SHARE ?? 0)
/** Requests at a time of two servers, as a multiple of those of one. */
const TIMES = process.env.SAME_LOAD ? 1 : 2
/** Operations before a limit begins, in which V8 compiles the code. */
const WARM_UP = 8000
const WARM_UP_SIGN_INS = 300
/** Two servers, divided by one (performance §2). */
const CPU_GOAL = 1.1
const RATE_GOAL = 1.8
/** Cores for two servers, PostgreSQL and the load. */
const CORES = 4
/** Stands for both servers. */
const BOTH = 'http://both.invalid'

const WORKLOADS = {
  'client credentials, JWT (W1j)': signedCredentials,
  'refresh with rotation (W2)': refresh,
  'code exchange, two requests (W3)': codeExchange,
  'userinfo (W4)': userinfo,
  'introspection (W5)': introspection,
  'sign-in (W6)': signIn,
  'profile (W7)': profile,
}

export async function benchNodes(): Promise<void> {
  const postgres = await startPostgres({ durable: true })
  const first = await startVrata({ database: postgres })
  // The second server has the public address and the secret of the first.
  const second = await startVrata({
    database: postgres,
    data: first.data,
    settings: { VRATA_URL: first.url, HOST: 'localhost' },
  })
  try {
    const one = await seedInstallation(first, { people: PEOPLE })
    const two = spread(one, [first.url, second.url])
    const both: Pick<Target, 'cpu_ms'> = {
      cpu_ms: () => ({ server: first.cpu_ms().server + second.cpu_ms().server, database: first.cpu_ms().database }),
    }
    const hasCores = SHARE > 0 || availableParallelism() >= CORES
    const columns = [
      'workload',
      'one: CPU ms, PostgreSQL',
      'two: CPU ms, PostgreSQL',
      'CPU of both, two / one',
      'goal',
      'PostgreSQL, two / one',
      'throughput, two / one',
      ...(hasCores ? ['goal'] : []),
    ]
    console.log(`| ${columns.join(' | ')} |`)
    console.log(`| --- ${'| ---: '.repeat(columns.length - 1)}|`)
    for (const [name, workload] of Object.entries(WORKLOADS).filter(([name]) => ONLY.test(name))) {
      const load = { connections: workload === signIn ? 8 : 16, seconds: SECONDS }
      const loadOfBoth = { ...load, connections: TIMES * load.connections }
      if (SHARE) await repeat(await workload(two), load.connections, workload === signIn ? WARM_UP_SIGN_INS : WARM_UP)
      const endLimit = SHARE ? limitCpu([first.pid, second.pid], SHARE) : undefined
      const rounds: [one: Measured, two: Measured][] = []
      try {
        for (let round = 0; round < ROUNDS; round += 1) {
          rounds.push([await measure(first, one, workload, load), await measure(both, two, workload, loadOfBoth)])
        }
      } finally {
        endLimit?.()
      }
      const failed = rounds.flat().reduce((sum, measured) => sum + measured.failed, 0)
      if (failed > 0) throw new Error(`${name}: ${failed} operations failed`)
      const of = (index: 0 | 1, pick: (measured: Measured) => number) => median(rounds.map((pair) => pick(pair[index])))
      const ratio = (pick: (measured: Measured) => number) => median(rounds.map(([a, b]) => pick(b) / pick(a)))
      const cpu = (index: 0 | 1) =>
        `${of(index, (m) => m.cpu_ms).toFixed(3)}, ${of(index, (m) => m.database_ms).toFixed(3)}`
      const times = ratio((m) => m.cpu_ms + m.database_ms)
      const rate = ratio((m) => m.per_second)
      const cells = [
        cpu(0),
        cpu(1),
        times.toFixed(2),
        `${CPU_GOAL}${times > CPU_GOAL ? ' missed' : ''}`,
        // A JWT hardly ever asks the database.
        rounds.every(([one]) => one.database_ms > 0) ? ratio((m) => m.database_ms).toFixed(2) : '',
        rate.toFixed(2),
        ...(hasCores ? [`${RATE_GOAL}${rate < RATE_GOAL ? ' missed' : ''}`] : []),
      ]
      console.log(`| ${name} | ${cells.join(' | ')} |`)
    }
    if (!hasCores) console.log(`\nThe goal of ${RATE_GOAL} times the throughput needs ${CORES} cores, or SHARE.`)
  } finally {
    await second.stop()
    await first.stop()
    await postgres.stop()
  }
}

/** The same installation, at an address that stands for both servers. */
function spread(installation: Installation, servers: readonly string[]): Installation {
  BALANCED.set(BOTH, { origin: installation.url, servers })
  const people = installation.people.map(({ email, browser }) => ({ email, browser: browser.at(BOTH) }))
  return { ...installation, url: BOTH, browser: installation.browser.at(BOTH), people }
}

/**
 * `npm run bench -- tails`: the 99th percentile of the latency with 16 connections, as a multiple of the median (performance §2). The load comes
 * from wrk (Debian has it), which has no garbage collection and runs on other cores than the server, and besides from this process, as in `npm run bench`.
 * Without wrk only the second one is measured. Settings: ROUNDS, SECONDS.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { type Installation, referenceInstallation, seedInstallation } from '../installation.ts'
import { measureOperation, median } from '../measure.ts'
import { startHello, startVrata, type Target } from '../targets.ts'
import {
  helloRequest,
  introspectionRequest,
  profileRequest,
  type Repeatable,
  type RepeatedRequest,
  repeating,
  userinfoRequest,
} from './workloads.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const CONNECTIONS = 16
/** The 99th percentile, as a multiple of the median (performance §2). */
const GOAL = 4

const REQUESTS: Record<string, Repeatable> = {
  'userinfo (W4)': userinfoRequest,
  'introspection (W5)': introspectionRequest,
  'profile (W7)': profileRequest,
}

/** Milliseconds. */
type Latency = { p50: number; p99: number }

const run = promisify(execFile)

export async function benchTails(): Promise<void> {
  const hasWrk = spawnSync('wrk', ['--version']).error === undefined
  if (!hasWrk) console.log('wrk is not installed (Debian: apt-get install wrk).\n')
  console.log('| | on | wrk: p50, p99 in ms | p99 / p50 | this process: p50, p99 in ms | p99 / p50 | load |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |')
  const folder = mkdtempSync(join(tmpdir(), 'vrata-wrk-'))
  try {
    const hello = await startHello()
    await tail('Fastify alone', '', hello, referenceInstallation(hello.url), helloRequest, hasWrk && folder)
    await hello.stop()
    const postgres = await startPostgres()
    for (const [name, database] of Object.entries({ SQLite: undefined, PostgreSQL: postgres })) {
      const target = await startVrata({ database })
      const installation = await seedInstallation(target)
      for (const [request, prepare] of Object.entries(REQUESTS))
        await tail(request, name, target, installation, prepare, hasWrk && folder)
      await target.stop()
    }
    await postgres.stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(`\nGoal of p99 / p50: ${GOAL}. Medians of ${ROUNDS} rounds of ${SECONDS} s.`)
}

/** `folder`: where the script of wrk is written; false without wrk. */
async function tail(
  name: string,
  on: string,
  target: Target,
  installation: Installation,
  prepare: Repeatable,
  folder: string | false,
): Promise<void> {
  const request = await prepare(installation)
  const operate = await repeating(async () => request)(installation)
  const byWrk: Latency[] = []
  const byNode: Latency[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    if (folder) byWrk.push(await wrk(folder, installation.url, request))
    byNode.push(await measureOperation(target, operate, { connections: CONNECTIONS, seconds: SECONDS }))
  }
  const cells = [byWrk, byNode].flatMap((rounds) =>
    rounds.length === 0
      ? ['', '']
      : [
          `${median(rounds.map(({ p50 }) => p50)).toFixed(2)}, ${median(rounds.map(({ p99 }) => p99)).toFixed(2)}`,
          median(rounds.map(({ p50, p99 }) => p99 / p50)).toFixed(1),
        ],
  )
  console.log(`| ${[name, on, ...cells, loadavg()[0]?.toFixed(0)].join(' | ')} |`)
}

/** Each request of wrk comes from another network, as those of `Browser` do. */
function script({ browser, method, path, options = {} }: RepeatedRequest): string {
  const { body } = options
  const headers = Object.entries(browser.headers(method, path, options)).filter(
    ([header]) => header !== 'content-length',
  )
  return `
wrk.method = ${JSON.stringify(method)}
wrk.path = ${JSON.stringify(path)}
${body === undefined ? '' : `wrk.body = ${JSON.stringify(body)}`}
${headers.map(([header, value]) => `wrk.headers[${JSON.stringify(header)}] = ${JSON.stringify(value)}`).join('\n')}
function request()
  wrk.headers["x-forwarded-for"] = "10." .. math.random(0, 15) .. "." .. math.random(0, 255) .. ".1"
  return wrk.format()
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("result %d %f %f\\n", failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`
}

async function wrk(folder: string, url: string, request: RepeatedRequest): Promise<Latency> {
  const file = join(folder, 'request.lua')
  writeFileSync(file, script(request))
  const command = ['wrk', '--threads', '1', '--connections', String(CONNECTIONS), '--duration', `${SECONDS}s`]
  const cores = availableParallelism()
  // The server has the first core.
  const pinned = cores > 1 ? ['taskset', '-c', `1-${cores - 1}`] : []
  const [program = '', ...args] = [...pinned, ...command, '--script', file, url]
  const { stdout } = await run(program, args)
  const [, failed, p50, p99] = /^result (\d+) ([\d.]+) ([\d.]+)$/m.exec(stdout) ?? []
  if (failed !== '0') throw new Error(`wrk: ${stdout}`)
  return { p50: Number(p50), p99: Number(p99) }
}

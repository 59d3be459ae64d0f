/**
 * `npm run soak [-- --minutes 30] [--postgres] [--rate 60]`: keeps a server busy for half an hour with so many requests a second, and
 * judges whether memory, heap, file handles, connections and rows stay flat after the first third, and every request is answered. Exits with 1
 * otherwise.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensurePages } from '../../scripts/build/pages.ts'
import { ensureServer } from '../../scripts/build/server-bundle.ts'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { Load } from '../drills/load.ts'
import { seedInstallation } from '../installation.ts'
import { median } from '../measure.ts'
import { onPostgres, onSqlite, seeded } from '../scale/databases.ts'
import { exitOnSignals, socketsOf, startVrata, type VrataTarget } from '../targets.ts'
import { judge, type Sample, sentenceOf, sixthsOf, WATCHED } from './judge.ts'
import { changesOf, countRows, judgeRows, overdueRows, type Rows } from './rows.ts'

const { minutes, postgres, rate } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    postgres: { type: 'boolean', default: false },
    rate: { type: 'string', default: '60' },
  },
}).values
const SECONDS = Number(minutes) * 60
const RATE = Number(rate)
if (!(SECONDS >= 60 && RATE > 0)) {
  console.error('--minutes must be a number from 1, and --rate one above 0')
  process.exit(2)
}
/** Requests of one operation of the load, on average. */
const REQUESTS = 2
/** People who exist from the beginning on SQLite, and how many times the rate is sent in the first third of the time: both fill its caches. */
const PEOPLE = 20_000
const WARMING = 3
/** Seconds between two looks at the server, at least. */
const EVERY = 1

exitOnSignals()
await ensurePages()
await ensureServer()
const folder = mkdtempSync(join(tmpdir(), 'vrata-soak-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const database = postgres ? await startPostgres() : undefined
const target = await startVrata(database ? { database } : { data: (await seeded(folder, PEOPLE, undefined)).data })
try {
  const installation = await seedInstallation(target)
  console.log(`${rate} requests a second for ${minutes} minutes on ${postgres ? 'PostgreSQL' : 'SQLite'}`)
  const warm = performance.now() + (SECONDS * 1000) / 3
  const load = new Load(installation, {
    rate: () => ((performance.now() < warm ? WARMING : 1) * RATE) / REQUESTS,
  })
  const run = (sql: string) =>
    database ? onPostgres(database.url, sql) : onSqlite(join(target.data, 'vrata.sqlite'), sql)
  const samples: Sample[] = []
  let warmed: Rows | undefined
  const delays: number[] = []
  const [began, before] = [performance.now(), target.cpu_ms()]
  for (const end = began + SECONDS * 1000; performance.now() < end; ) {
    await pause(Math.max(EVERY, SECONDS / 360) * 1000)
    const { sample, delay_ms } = await lookAt(target, (performance.now() - began) / 60_000)
    samples.push(sample)
    delays.push(delay_ms)
    if (performance.now() > warm) warmed ??= await countRows(run)
  }
  const after = target.cpu_ms()
  const [settled, rows, overdue] = [warmed ?? {}, await countRows(run), await overdueRows(run, new Date())]
  const share = (name: keyof typeof after) =>
    `${Math.round((100 * (after[name] - before[name])) / (performance.now() - began))} %`
  const figures = await load.stop()
  const { requests, refused, failed, not_sent, longest_ms, lost, spent_twice, failures } = figures
  console.log(
    `${requests} requests, ${refused} refused, ${failed} failed ${JSON.stringify(failures)}, longest ${longest_ms} ms, ` +
      `${not_sent} operations not begun because too many were unanswered`,
  )
  console.log(`${lost} of ${figures.written} tokens lost, ${spent_twice} of ${figures.codes} codes spent twice`)
  console.log(`server ${share('server')} of a core, database ${share('database')}`)
  console.log(`event-loop delay, 99th percentile between two looks: median ${Math.round(median(delays))} ms`)
  for (const { name } of WATCHED) {
    console.log(`${name}: ${sentenceOf(samples, name)}; by sixths of the time ${sixthsOf(samples, name)}`)
  }
  console.log(`rows since the first third: ${changesOf(settled, rows)}`)
  const wrong = [...judge(samples), ...judgeRows(settled, rows, overdue)]
  if (refused + failed + lost + spent_twice > 0) wrong.push('not every request was answered as expected')
  for (const sentence of wrong) console.error(`wrong: ${sentence}`)
  process.exitCode = wrong.length ? 1 : 0
} finally {
  await target.stop()
  await database?.stop()
}

/** Reads the figures of the process from its metrics, which this machine may read, and from the system. */
async function lookAt({ url, pid }: VrataTarget, at: number): Promise<{ sample: Sample; delay_ms: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (metric: string) => Number(new RegExp(`^vrata_${metric} (\\S+)$`, 'm').exec(text)?.[1])
  const sample = {
    minutes: at,
    memory: read('process_resident_memory_bytes') / 1e6,
    'heap after collections': read('nodejs_heap_size_used_bytes') / 1e6,
    'file handles': read('process_open_fds'),
    connections: socketsOf(pid),
  }
  return { sample, delay_ms: read('nodejs_eventloop_lag_p99_seconds') * 1000 }
}

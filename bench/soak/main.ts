/**
 * `npm run soak [-- --minutes 30] [--postgres]`: keeps a server busy for half an hour, with half of what one core can do, and judges
 * whether memory, file handles and heap stay flat and every request is answered. Exits with 1 otherwise.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensurePages } from '../../scripts/build/pages.ts'
import { ensureServer } from '../../scripts/build/server-bundle.ts'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { Load } from '../drills/load.ts'
import { seedInstallation } from '../installation.ts'
import { startVrata, type VrataTarget } from '../targets.ts'
import { growth, judge, type Sample, WATCHED } from './judge.ts'

const { minutes, postgres } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, postgres: { type: 'boolean', default: false } },
}).values
const SECONDS = Number(minutes) * 60
if (!(SECONDS >= 60)) {
  console.error('--minutes must be a number from 1')
  process.exit(2)
}
/** Share of a core that the server shall use. */
const SHARE = 0.5
/** Seconds in which the number of workers is found. */
const TRIAL = 15

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
await ensurePages()
await ensureServer()
const database = postgres ? await startPostgres() : undefined
const target = await startVrata({ database })
try {
  const installation = await seedInstallation(target)
  const workers = await workersFor(target, () => new Load(installation, 6))
  console.log(`${workers} workers for ${minutes} minutes on ${postgres ? 'PostgreSQL' : 'SQLite'}`)
  const load = new Load(installation, workers)
  const samples: Sample[] = []
  const every = Math.max(2, SECONDS / 120)
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; ) {
    await pause(every * 1000)
    samples.push(await sampleOf(target))
  }
  const figures = await load.stop()
  const { requests, refused, failed, longest_ms, lost, spent_twice, failures } = figures
  console.log(
    `${requests} requests, ${refused} refused, ${failed} failed ${JSON.stringify(failures)}, longest ${longest_ms} ms`,
  )
  console.log(`${lost} of ${figures.written} tokens lost, ${spent_twice} of ${figures.codes} codes spent twice`)
  for (const { name, unit } of WATCHED) {
    const { early, late, most } = growth(samples, name)
    console.log(`${name}: ${early} ${unit} after the beginning, ${late} at the end, at most ${most}`)
  }
  const wrong = judge(samples)
  if (refused + failed + lost + spent_twice > 0) wrong.push('not every request was answered as expected')
  for (const sentence of wrong) console.error(`wrong: ${sentence}`)
  process.exitCode = wrong.length ? 1 : 0
} finally {
  await target.stop()
  await database?.stop()
}

/** Tries a few workers and computes how many use the wanted share of a core. */
async function workersFor(server: VrataTarget, start: () => Load): Promise<number> {
  const load = start()
  // Not counted: code is still being compiled.
  await pause(TRIAL * 1000)
  const before = server.cpu_ms().server
  await pause(TRIAL * 1000)
  const share = (server.cpu_ms().server - before) / (TRIAL * 1000)
  await load.stop()
  return Math.min(24, Math.max(3, Math.round((6 * SHARE) / share)))
}

/** Reads the figures of the process from its metrics, which this machine may read. */
async function sampleOf({ url }: VrataTarget): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1])
  return Object.fromEntries(WATCHED.map(({ name, metric, per }) => [name, read(metric) / per])) as Sample
}

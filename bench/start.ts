/**
 * `npm run bench -- start`: time and CPU time from the start of the process to its first answer, beside Fastify alone, in alternating
 * rounds, with databases that exist; then how long the first sign-in page takes, and the memory when idle. Medians.
 * Setting: ROUNDS.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../scripts/suites/postgres.ts'
import { median } from './measure.ts'
import { startHello, startVrata, type Target } from './targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 10)
/** Milliseconds until a server is idle: V8 gives back what it does not need after some ten seconds. */
const SETTLED_MS = 15_000
/** The time as a multiple of that of Fastify alone, and MiB (performance §2, W8). */
const START = { ready: 200 / 145, idle: 95, loaded: 150 }

type Started = { ready_ms: number; cpu_ms: number; login_ms: number }

export async function benchStart(): Promise<void> {
  const postgres = await startPostgres()
  const folders = { sqlite: newFolder(), postgres: newFolder() }
  const starts: Record<string, () => Promise<Target>> = {
    'Fastify alone': startHello,
    SQLite: () => startVrata({ data: folders.sqlite }),
    PostgreSQL: () => startVrata({ data: folders.postgres, database: postgres }),
  }
  try {
    const rounds = new Map<string, Started[]>(Object.keys(starts).map((name) => [name, []]))
    // The first start makes the databases.
    for (const start of Object.values(starts)) await (await start()).stop()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, start] of Object.entries(starts)) rounds.get(name)?.push(await startOnce(start))
    }
    const idle = await idleMemory(starts)
    const of = (name: string, pick: (started: Started) => number) => median((rounds.get(name) ?? []).map(pick))
    const fastify = of('Fastify alone', (one) => one.ready_ms)
    console.log(
      '| | until the first answer ms | × Fastify alone | goal | CPU ms | first sign-in page ms | idle MiB | goal |',
    )
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
    for (const name of Object.keys(starts)) {
      const ready = of(name, (one) => one.ready_ms)
      const goals = name === 'Fastify alone' ? ['', ''] : [START.ready.toFixed(1), String(START.idle)]
      const cells = [
        ready.toFixed(0),
        (ready / fastify).toFixed(2),
        goals[0],
        of(name, (one) => one.cpu_ms).toFixed(0),
        of(name, (one) => one.login_ms).toFixed(0),
        idle[name]?.toFixed(0),
        goals[1],
      ]
      console.log(`| ${name} | ${cells.join(' | ')} |`)
    }
  } finally {
    await postgres.stop()
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(start: () => Promise<Target>): Promise<Started> {
  const target = await start()
  const cpu_ms = target.cpu_ms().server
  const began = performance.now()
  await (await fetch(`${target.url}/login`)).text()
  const login_ms = performance.now() - began
  await target.stop()
  return { ready_ms: target.ready_ms, cpu_ms, login_ms }
}

/** MiB of each server when it is idle after the first sign-in page. */
async function idleMemory(starts: Record<string, () => Promise<Target>>): Promise<Record<string, number>> {
  const targets: Record<string, Target> = {}
  for (const [name, start] of Object.entries(starts)) {
    const target = await start()
    await (await fetch(`${target.url}/login`)).text()
    targets[name] = target
  }
  const memory = await settledMemory(targets)
  for (const target of Object.values(targets)) await target.stop()
  return memory
}

/** MiB of each server by its name. */
function memoryOf(targets: Record<string, Target>): Record<string, number> {
  return Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, target.memory_mib()]))
}

/** The same once the servers are idle. */
export async function settledMemory(targets: Record<string, Target>): Promise<Record<string, number>> {
  await pause(SETTLED_MS)
  return memoryOf(targets)
}

/** Prints the memory of servers before and after the workloads, and what another start with the same data takes, with goals for ours. */
export async function printStartAndMemory(
  targets: Record<string, Target> & Record<'hello', Target>,
  idle: Record<string, number>,
): Promise<void> {
  const loaded = memoryOf(targets)
  const later = await settledMemory(targets)
  const fastify = await startAgain(targets.hello)
  console.log(
    '\n| on | MiB idle | goal | MiB after all workloads | goal | idle again | start ms | × Fastify alone | goal | short of the goal |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  for (const [name, target] of Object.entries(targets)) {
    const ready = name === 'hello' ? fastify : await startAgain(target)
    const ours = name === 'sqlite' || name === 'postgres'
    const values = [idle[name] ?? Number.NaN, loaded[name] ?? Number.NaN, ready / fastify] as const
    const goals = [START.idle, START.loaded, START.ready] as const
    const times = goals.map((goal, index) => (values[index] ?? 0) / goal)
    const short = ['idle', 'loaded', 'start'].flatMap((what, index) =>
      ours && (times[index] ?? 0) > 1 ? `${what} ${times[index]?.toFixed(1)} ×` : [],
    )
    const goal = (index: 0 | 1 | 2) => (ours ? goals[index].toFixed(index === 2 ? 1 : 0) : '')
    const cells = [
      values[0],
      goal(0),
      values[1],
      goal(1),
      later[name],
      ready,
      values[2].toFixed(1),
      goal(2),
      short.join(', '),
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}

async function startAgain(target: Target): Promise<number> {
  const times: number[] = []
  for (let start = 0; start < 3; start += 1) times.push(await target.crash())
  return median(times)
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'vrata-bench-'))
}

import type { Installation } from './installation.ts'
import type { Workload } from './operations/workloads.ts'
import type { Target } from './targets.ts'

export interface Measured {
  per_second: number
  /** CPU time per operation in ms, user and system: of the server process, and of the database process. */
  cpu_ms: number
  database_ms: number
  /** Part of `cpu_ms`: that of the threads of libuv, which hash passwords. */
  pool_ms: number
  p50: number
  p99: number
  longest: number
  failed: number
}

/** Runs a workload with a number of concurrent connections for some seconds, after a short warm-up. */
export async function measure(
  target: Measurable,
  installation: Installation,
  workload: Workload,
  load: Load,
): Promise<Measured> {
  return await measureOperation(target, await workload(installation), load)
}

type Measurable = Pick<Target, 'cpu_ms'> & Partial<Pick<Target, 'pool_ms'>>

interface Load {
  connections: number
  seconds: number
}

/** The same for an operation that has been prepared. */
export async function measureOperation(
  target: Measurable,
  operate: () => Promise<boolean>,
  { connections, seconds }: Load,
): Promise<Measured> {
  await load(operate, connections, Math.min(1, seconds / 4))
  const before = { ...target.cpu_ms(), pool: target.pool_ms?.() ?? 0 }
  const began = performance.now()
  const { times, failed } = await load(operate, connections, seconds)
  const elapsed = (performance.now() - began) / 1000
  const after = { ...target.cpu_ms(), pool: target.pool_ms?.() ?? 0 }
  const perOperation = (cpu: number) => cpu / Math.max(1, times.length)
  times.sort((a, b) => a - b)
  return {
    per_second: times.length / elapsed,
    cpu_ms: perOperation(after.server - before.server),
    database_ms: perOperation(after.database - before.database),
    pool_ms: perOperation(after.pool - before.pool),
    p50: times[Math.floor(times.length * 0.5)] ?? Number.NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    longest: times.at(-1) ?? Number.NaN,
    failed,
  }
}

async function load(operate: () => Promise<boolean>, connections: number, seconds: number) {
  const times: number[] = []
  let failed = 0
  const until = performance.now() + seconds * 1000
  const worker = async () => {
    while (performance.now() < until) {
      const start = performance.now()
      if (await operate()) times.push(performance.now() - start)
      else failed += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return { times, failed }
}

/** Runs an operation so many times, with a number of concurrent connections; ends earlier after `seconds`. */
export async function repeat(
  operate: () => Promise<boolean>,
  connections: number,
  times: number,
  seconds = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = times
  const until = performance.now() + seconds * 1000
  const worker = async () => {
    while (left > 0 && performance.now() < until) {
      left -= 1
      await operate()
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

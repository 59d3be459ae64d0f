import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** Rows of a step. */
const ROWS = { first: 50, least: 50, most: 500 }
/** Milliseconds of this thread's CPU time that a step should take: on a busy machine everything takes longer. */
const WANTED = 2
/**
 * A pause is this many times as long as the step before it, at most so many milliseconds: `idle` while the process has nothing else to
 * do, `busy` while it always has. Other processes, such as commands, write in the pauses, too.
 */
const REST = { idle: 2, busy: 5, most: 200 }

/**
 * Runs a step again and again with at most so many rows, until it finds fewer; resolves with the number of rows. Steps are short and
 * apart, because SQLite has one writer and runs on the thread that answers requests: a million rows must not delay them.
 */
export async function inSmallSteps(step: (most: number) => Promise<number>): Promise<number> {
  return (await smallStepsFor(Number.POSITIVE_INFINITY, step)).rows
}

/** The same for some milliseconds; `complete`: a step has found fewer rows than it was allowed. */
export async function smallStepsFor(
  milliseconds: number,
  step: (most: number) => Promise<number>,
): Promise<{ rows: number; complete: boolean }> {
  const end = performance.now() + milliseconds
  let rows = 0
  let busy = 1
  for (let most = ROWS.first; ; ) {
    const began = performance.now()
    const used = process.threadCpuUsage()
    const done = await step(most)
    rows += done
    if (done < most) return { rows, complete: true }
    const took = performance.now() - began
    if (performance.now() > end) return { rows, complete: false }
    most = nextRows(most, cpuSince(used))
    const before = performance.eventLoopUtilization()
    await pause(Math.min(took * (REST.idle + (REST.busy - REST.idle) * busy), REST.most))
    busy = performance.eventLoopUtilization(before).utilization
  }
}

/** Milliseconds. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function nextRows(most: number, took: number): number {
  if (took > WANTED * 1.5) return Math.max(ROWS.least, most >> 1)
  return took < WANTED / 2 ? Math.min(ROWS.most, most * 2) : most
}

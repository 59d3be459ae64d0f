import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { partsOfHandle, type ReadDb } from '../compiled-queries/handle.ts'
import type { Engine } from '../dialect.ts'

/** Rows that the transaction of a call writes. More are written by a job in small steps (decision 0092). */
export const ROWS_AT_ONCE = 500

/** How long steps are, and how far apart. */
type Pace = {
  /** Rows of a step. */
  rows: { first: number; least: number; most: number }
  /** Milliseconds that a step should take. */
  wanted: number
  /** Starts to measure a step; the returned function gives its milliseconds. */
  measure: () => () => number
  /**
   * A pause is this many times as long as the step before it, at most so many milliseconds: `idle` while the process has nothing else to
   * do, `busy` while it always has. Other processes, such as commands, write in the pauses, too.
   */
  rest: { idle: number; busy: number; most: number }
}

const PACES: Record<Engine, Pace> = {
  /** Works on the thread that answers requests, so its CPU time counts: on a busy machine everything takes longer. */
  sqlite: {
    rows: { first: 20, least: 20, most: 500 },
    wanted: 1,
    measure: () => {
      const before = process.threadCpuUsage()
      return () => {
        const { user, system } = process.threadCpuUsage(before)
        return (user + system) / 1000
      }
    },
    rest: { idle: 2, busy: 5, most: 200 },
  },
  /**
   * Works in another process while this one answers requests. The CPU time of this thread would be that of the requests; the time that a
   * step takes also has their delays, so that steps become smaller under load.
   */
  postgres: {
    rows: { first: 250, least: 250, most: 2000 },
    wanted: 40,
    measure: () => {
      const began = performance.now()
      return () => performance.now() - began
    },
    rest: { idle: 1, busy: 4, most: 200 },
  },
}

/**
 * Runs a step again and again with at most so many rows, until it finds fewer; resolves with the number of rows. Steps are short and
 * apart: a million rows must not delay requests (decision 0125).
 */
export async function inSmallSteps(db: ReadDb, step: (most: number) => Promise<number>): Promise<number> {
  return (await smallStepsFor(db, Number.POSITIVE_INFINITY, step)).rows
}

/** The same for some milliseconds; `complete`: a step has found fewer rows than it was allowed. */
export async function smallStepsFor(
  db: ReadDb,
  milliseconds: number,
  step: (most: number) => Promise<number>,
): Promise<{ rows: number; complete: boolean }> {
  const pace = PACES[partsOfHandle(db).engine]
  const { rest } = pace
  const end = performance.now() + milliseconds
  let rows = 0
  let busy = 1
  for (let most = pace.rows.first; ; ) {
    const began = performance.now()
    const measured = pace.measure()
    const done = await step(most)
    rows += done
    if (done < most) return { rows, complete: true }
    const took = performance.now() - began
    if (performance.now() > end) return { rows, complete: false }
    most = nextRows(pace, most, measured())
    const before = performance.eventLoopUtilization()
    await pause(Math.min(took * (rest.idle + (rest.busy - rest.idle) * busy), rest.most))
    busy = performance.eventLoopUtilization(before).utilization
  }
}

function nextRows({ rows, wanted }: Pace, most: number, took: number): number {
  if (took > wanted * 1.5) return Math.max(rows.least, most >> 1)
  return took < wanted / 2 ? Math.min(rows.most, most * 2) : most
}

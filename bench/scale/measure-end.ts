import type { Seeded } from './databases.ts'

/** Rows that are counted before the end, and a query that finds a row until all are deleted. */
export type Rows = { count: string; remains: string }

export interface End {
  /** Rows that were deleted, and the seconds from the call until the last one. */
  rows: number
  seconds: number
  /** Milliseconds of the call. */
  call: number
}

/** Ends something with many rows by a call, and repeats a round of requests from the call until the rows are deleted. */
export async function measureEnd(
  { run }: Seeded,
  { count, remains }: Rows,
  end: () => Promise<{ ok: boolean }>,
  round: () => Promise<void>,
): Promise<End> {
  const [before] = await run(count)
  const began = performance.now()
  const ended = end().then((answer) => {
    if (!answer.ok) throw new Error(`The call has failed: ${JSON.stringify(answer)}`)
    return performance.now() - began
  })
  const [call] = await Promise.all([ended, round()])
  while ((await run(remains)).length > 0) await round()
  return { rows: Number(before?.n), call, seconds: (performance.now() - began) / 1000 }
}

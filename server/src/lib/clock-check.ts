import type { Clock } from './clock.ts'

/** A store; its database may have a clock of its own. */
type Timed = { ping(): Promise<Date | undefined> }

/** Seconds between the clocks of a server and of its database from which the server would take valid codes and rows for expired. */
const MOST_APART = 60
/** Milliseconds for which an answer holds, and by which a clock that has not jumped may differ from the monotonic one. */
const HOLDS = 10_000
const JUMP = 1000

/** Seconds by which the clock of a server is after that of its database; undefined when they are together, as with SQLite. */
export async function clockError(store: Timed, clock: Clock): Promise<number | undefined> {
  const time = await store.ping()
  const seconds = time ? Math.round((clock.now().getTime() - time.getTime()) / 1000) : 0
  return Math.abs(seconds) > MOST_APART ? seconds : undefined
}

/**
 * Whether the clock is that of the database. Background work asks before it begins: by a clock that has jumped forward it would delete
 * rows that are alive, give mails up as too late, and take jobs over from other servers.
 */
export function clockCheck(
  store: Timed,
  clock: Clock,
  log: { error(fields: object, message: string): void },
): () => Promise<boolean> {
  let last: { right: boolean; time: number; monotonic: number } | undefined
  return async () => {
    const [time, monotonic] = [clock.now().getTime(), performance.now()]
    const passed = last ? monotonic - last.monotonic : Number.POSITIVE_INFINITY
    if (last && passed < HOLDS && Math.abs(time - last.time - passed) < JUMP) return last.right
    const seconds = await clockError(store, clock)
    const right = seconds === undefined
    if (!right && last?.right !== false)
      log.error({ seconds }, 'the clock is not that of the database: no jobs, no pruning')
    last = { right, time, monotonic }
    return right
  }
}

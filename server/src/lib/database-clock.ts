import { setInterval } from 'node:timers/promises'
import { type Clock, systemClock } from './clock.ts'

/** A store; its database may have a clock of its own. */
type Timed = { ping(): Promise<Date | undefined> }
type Log = { error(fields: object, message: string): void }

/** Milliseconds between two looks at the database's clock. */
const EVERY = 2000
/** Seconds between the clocks of a machine and of its database from which a server is not ready (security §20.7). */
const MOST_APART = 60

/**
 * The time of the database, without a question for each look at it: what it was, and what has passed since by the monotonic clock of
 * this process. So servers with wrong clocks agree with the others on what has expired (decision 0011). A database on this machine has the machine's clock.
 */
export class DatabaseClock implements Clock {
  readonly #store: Timed
  /** The time at which the monotonic clock was zero; undefined when the database is on this machine. */
  #origin: number | undefined

  private constructor(store: Timed) {
    this.#store = store
  }

  /** Rejects when the database does not answer. */
  static async open(store: Timed): Promise<DatabaseClock> {
    const clock = new DatabaseClock(store)
    await clock.measure()
    return clock
  }

  now(): Date {
    return this.#origin === undefined ? systemClock.now() : new Date(this.#origin + performance.now())
  }

  /**
   * Asks the database, which has read its clock at some moment between the question and the answer, and answers in whole milliseconds. If
   * the time fits into that interval it stays, so that a slow answer changes nothing; otherwise it is set to the nearer end, in one step,
   * forward or back. So all servers agree again after a failover, or when a machine was suspended and its monotonic clock stood still.
   */
  async measure(): Promise<void> {
    const asked = performance.now()
    const time = await this.#store.ping()
    if (time === undefined) return
    const [least, most] = [time.getTime() - performance.now(), time.getTime() + 1 - asked]
    this.#origin = Math.min(Math.max(this.#origin ?? (least + most) / 2, least), most)
  }

  /** Measures from now on, and logs when the clock of this machine is wrong; returns how to end that. */
  follow(log: Log, every = EVERY): () => void {
    if (this.#origin === undefined) return () => {}
    const stopping = new AbortController()
    const { signal } = stopping
    const rounds = async () => {
      let was: number | undefined
      for await (const _ of setInterval(every, undefined, { signal, ref: false })) {
        // Without an answer, the monotonic clock continues.
        await this.measure().catch(() => {})
        const seconds = secondsApart(this.now())
        if (seconds !== undefined && was === undefined)
          log.error({ seconds }, 'the clock of this machine is not that of the database: not ready')
        was = seconds
      }
    }
    rounds().catch((error) => {
      if (!signal.aborted) throw error
    })
    return () => stopping.abort()
  }
}

/** Seconds by which the clock of this machine is after that of the database; undefined when they are together. */
export async function clockError(store: Timed): Promise<number | undefined> {
  const time = await store.ping()
  return time && secondsApart(time)
}

function secondsApart(time: Date): number | undefined {
  const seconds = Math.round((systemClock.now().getTime() - time.getTime()) / 1000)
  return Math.abs(seconds) > MOST_APART ? seconds : undefined
}

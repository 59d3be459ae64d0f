import { CompiledQuery } from 'kysely'
import type { RunQuery } from '../compiled-queries/handle.ts'
import { isUnavailable } from '../dialect.ts'

/** The first eight characters of the name of a file of the write-ahead log are the timeline, which changes when a standby is promoted. */
const ON_PRIMARY = `select pg_current_wal_lsn()::text as position,
  left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`

/**
 * Selects the timeline of the last restart point. A replica that follows a promoted server reports the new timeline only minutes later;
 * one that still follows the former server never does, and its positions cannot be compared with those of the new server.
 */
const ON_REPLICA = `select pg_is_in_recovery() as replica, coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as caught_up,
  upper(lpad(to_hex((pg_control_checkpoint()).timeline_id), 8, '0')) as timeline`

/** A database that answers a statement. */
type Source = { run: RunQuery }

export type ReplicaOptions = {
  primary: Source
  replica: Source
  /** Receives why the replica is not asked any more. */
  report: (error: unknown) => void
  /** Milliseconds between two checks. */
  interval: number
}

/**
 * Answers reads from a replica (decision 0011). While the replica lacks what the primary had committed one interval ago, is no
 * replica, or does not answer, the primary answers; so data is at most two intervals old.
 */
export class Replica {
  readonly #options: ReplicaOptions
  readonly #timer: NodeJS.Timeout
  #isUsable = false
  /** Since it was last usable. */
  #isReported = false
  /** Where the primary was at the last check, as its position in the write-ahead log. */
  #position: string | undefined
  #checking: Promise<void> | undefined

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.check(), options.interval).unref()
  }

  readonly run: RunQuery = async (query) => {
    const { primary, replica } = this.#options
    if (!this.#isUsable) return await primary.run(query)
    try {
      return await replica.run(query)
    } catch (error) {
      // A replica also cancels statements that conflict with replayed changes, and may not have a new migration yet.
      if (isUnavailable(error)) this.#stopUsing(error)
      return await primary.run(query)
    }
  }

  /** Decides whether the replica is asked from now on. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#compare().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
  }

  async #compare(): Promise<void> {
    const { primary, replica } = this.#options
    try {
      const now = await one<{ position: string; timeline: string }>(primary, ON_PRIMARY)
      const since = this.#position ?? now.position
      this.#position = now.position
      const state = await one<{ replica: boolean; caught_up: boolean; timeline: string }>(replica, ON_REPLICA, [since])
      if (!state.replica) throw new Error('VRATA_DATABASE_REPLICA_URL names a server that is not a replica')
      if (state.timeline !== now.timeline) throw new Error('The replica does not follow this primary')
      if (!state.caught_up) throw new Error('The replica is behind the primary')
      this.#isUsable = true
      this.#isReported = false
    } catch (error) {
      this.#stopUsing(error)
    }
  }

  /** Reports each time once. */
  #stopUsing(error: unknown): void {
    this.#isUsable = false
    if (this.#isReported) return
    this.#isReported = true
    this.#options.report(new Error('Reads go to the primary, not to the replica', { cause: error }))
  }
}

async function one<Row>(source: Source, sql: string, parameters: unknown[] = []): Promise<Row> {
  const { rows } = await source.run<Row>(CompiledQuery.raw(sql, parameters))
  return rows[0] as Row
}

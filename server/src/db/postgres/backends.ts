import type { Timeouts } from '../timeouts.ts'
import { connectClient } from './postgres-client.ts'
import type { Sent } from './statements.ts'

/** State of the connections of a pool, as reported by the PostgreSQL server that new connections reach. */
export type Seen = 'gone' | 'working' | 'waiting for a standby'

/** Processes of PostgreSQL that serve the connections of one pool. */
export class Backends {
  /** The driver keeps one object for each connection, and changes its number when it reconnects. */
  readonly #known = new Set<{ pid: number | null }>()
  // No `Set`, whose tables that were too small refer to the next ones: V8 keeps each statement of them until a full collection (decision 0130).
  readonly #sent: Sent[] = []

  /** Settles like the answer to the statement. */
  async watch<T>(sent: Sent, answer: Promise<T>): Promise<T> {
    this.#sent.push(sent)
    try {
      return await answer
    } finally {
      this.#forget(sent)
      if (sent.state) this.#known.add(sent.state)
    }
  }

  /**
   * Asks over a connection of its own whether PostgreSQL works for these processes. Connections that are given up while it does
   * stay in PostgreSQL, so that new ones only add to them, until it accepts no further ones. Takes at most as long as connecting may.
   */
  async look(url: string, timeouts: Timeouts, pooled: boolean): Promise<Seen> {
    const client = connectClient(url, { max: 1, timeouts, pooled })
    const overdue = setTimeout(() => void client.end({ timeout: 0 }), timeouts.connect)
    try {
      const rows = await client.unsafe<{ event: string | null }[]>(WORKING.replace('PIDS', this.#pids().join()))
      if (rows.some(({ event }) => event === 'SyncRep')) return 'waiting for a standby'
      return rows.length > 0 ? 'working' : 'gone'
    } catch {
      return 'gone'
    } finally {
      clearTimeout(overdue)
      await client.end({ timeout: 0 })
    }
  }

  #forget(sent: Sent): void {
    const at = this.#sent.indexOf(sent)
    const last = this.#sent.pop()
    if (last && last !== sent) this.#sent[at] = last
  }

  #pids(): number[] {
    const states = [...this.#known, ...this.#sent.map(({ state }) => state)]
    return [0, ...new Set(states.flatMap((state) => state?.pid ?? []))]
  }
}

/** A pooler reports its own process numbers, so any commit that waits for a standby counts as one of this pool. */
const WORKING = `select wait_event as event from pg_stat_activity
  where datname = current_database() and usename = current_user and state = 'active' and pid <> pg_backend_pid()
    and (pid in (PIDS) or wait_event = 'SyncRep')`

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { problem } from '@vrata/contract'
import { isBusy } from './dialect.ts'
import type { RunQuery } from './handle.ts'
import type { SqliteConnection } from './sqlite.ts'
import { OpenTransaction, refuseNesting, startHooks, type TransactionOptions, type Tx } from './tx.ts'

/** How many transactions share one commit at most, and for how many milliseconds a commit waits for more. */
const GROUP = { size: 16, milliseconds: 2 }
/** More than this many waiting transactions and the next one is told to come back. */
const WAITING = 1000
/** Milliseconds for which the queue tries to get the write lock from another process. */
const LOCK_PATIENCE = 5000

type Waiting = {
  work: (tx: Tx) => Promise<unknown>
  options: TransactionOptions
  /** Runs in the asynchronous context of whoever asked, as if there were no queue. */
  asAsker: <R>(fn: () => R) => R
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type Outcome = { asked: Waiting; open: OpenTransaction } & ({ value: unknown } | { error: unknown })

/**
 * SQLite has one writer, and `synchronous = full` one fsync per commit. So transactions queue, and those that wait
 * together share a commit: each runs alone in its own savepoint, nobody is answered before the commit, and one that
 * throws undoes only itself (decision 0012).
 */
export class GroupCommit {
  readonly #writer: SqliteConnection
  readonly #run: RunQuery
  readonly #report: (error: unknown) => void
  readonly #waiting: Waiting[] = []
  #draining: Promise<void> | undefined
  #closed = false

  constructor(writer: SqliteConnection, report: (error: unknown) => void) {
    this.#writer = writer
    this.#run = async (query) => writer.run(query)
    this.#report = report
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    refuseNesting('A transaction')
    if (this.#closed || this.#waiting.length >= WAITING) throw problem('unavailable', { retry_after: 1 })
    const asAsker = AsyncLocalStorage.snapshot()
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, options, asAsker, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Lets everything that waits finish, and takes nothing new. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#group()
    } finally {
      this.#draining = undefined
    }
  }

  async #group(): Promise<void> {
    const refusal = await this.#begin()
    if (refusal) {
      for (const asked of this.#waiting.splice(0)) asked.reject(refusal)
      return
    }
    const outcomes: Outcome[] = []
    const until = performance.now() + GROUP.milliseconds
    do {
      const asked = this.#waiting.shift()
      if (!asked) break
      outcomes.push(await this.#one(asked))
      // Requests that arrived with this one are read in the same turn of the event loop: let them come along.
      if (this.#waiting.length === 0) await nextTurn()
    } while (this.#writer.inTransaction && outcomes.length < GROUP.size && performance.now() < until)
    this.#settle(outcomes, this.#commit())
  }

  /** Answers why the write lock cannot be had, or nothing when it is ours. */
  async #begin(): Promise<Error | undefined> {
    const until = performance.now() + LOCK_PATIENCE
    for (;;) {
      try {
        this.#writer.execute('begin immediate')
        return undefined
      } catch (cause) {
        if (!isBusy(cause) || performance.now() > until) return problem('unavailable', { retry_after: 1, cause })
        await pause(10)
      }
    }
  }

  async #one(asked: Waiting): Promise<Outcome> {
    const open = new OpenTransaction()
    try {
      this.#writer.execute('savepoint one')
      const value = await asked.asAsker(() => open.perform('sqlite', this.#run, asked.work, asked.options))
      this.#writer.execute('release one')
      return { asked, open, value }
    } catch (error) {
      this.#undoOne()
      return { asked, open, error }
    }
  }

  #undoOne(): void {
    // A full disk or an I/O error makes SQLite roll back by itself, with everybody else of the group.
    if (!this.#writer.inTransaction) return
    try {
      this.#writer.execute('rollback to one')
      this.#writer.execute('release one')
    } catch (error) {
      this.#report(error)
      this.#rollback()
    }
  }

  /** Answers why nothing was committed, or nothing when all is safely on the disk. */
  #commit(): unknown {
    if (!this.#writer.inTransaction)
      return problem('unavailable', { retry_after: 1, message: 'The group was rolled back' })
    try {
      this.#writer.execute('commit')
      return undefined
    } catch (cause) {
      this.#rollback()
      return problem('unavailable', { retry_after: 1, cause })
    }
  }

  #rollback(): void {
    try {
      if (this.#writer.inTransaction) this.#writer.execute('rollback')
    } catch (error) {
      this.#report(error)
    }
  }

  #settle(outcomes: readonly Outcome[], failure: unknown): void {
    for (const outcome of outcomes) {
      const { asked, open } = outcome
      if ('error' in outcome) asked.reject(outcome.error)
      else if (failure !== undefined) asked.reject(failure)
      else {
        if (open.hooks.length > 0) asked.asAsker(() => startHooks(open.hooks, this.#report))
        asked.resolve(outcome.value)
      }
    }
  }
}

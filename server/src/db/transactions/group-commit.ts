import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { problem } from '@vrata/contract'
import type { TraceStatement } from '../../lib/tracing.ts'
import type { ReadDb, RunQuery } from '../compiled-queries/handle.ts'
import type { GuardedWrites, Statement } from '../compiled-queries/together.ts'
import { isBusy, isReferenceViolation } from '../dialect.ts'
import type { SqliteConnection } from '../sqlite.ts'
import { traced } from '../statement-tracing.ts'
import { TIMEOUTS } from '../timeouts.ts'
import {
  OpenTransaction,
  refuseNesting,
  type StrictOptions,
  startHooks,
  type TransactionOptions,
  type Tx,
} from './transactions.ts'

/** Maximum number of transactions per commit, and milliseconds for which a commit waits for more. */
const GROUP = { size: 16, milliseconds: 2 }
/** Milliseconds for which writes wait for the commit of others. */
const NEXT_COMMIT = 100
/** Maximum number of queued transactions; further ones are rejected with `unavailable`. */
const WAITING = 1000

type QueuedWrites = {
  guarded: GuardedWrites
  db: ReadDb
  resolve: (value: boolean) => void
  reject: (error: unknown) => void
}

type QueuedTransaction = {
  work: (tx: Tx) => Promise<unknown>
  options: TransactionOptions
  /** Runs a function in the asynchronous context of the caller. */
  inCallerContext: <R>(fn: () => R) => R
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type Outcome =
  | { queued: QueuedWrites; value: boolean }
  | { queued: QueuedTransaction; open: OpenTransaction; value: unknown }
  | { queued: QueuedTransaction | QueuedWrites; error: unknown }

/**
 * Queues transactions on SQLite's one writer. With `synchronous = full` a commit costs one fsync, so queued
 * transactions share a commit: each resolves after the commit, and rolls back alone when it throws (decision 0009).
 */
export class GroupCommit {
  readonly #writer: SqliteConnection
  readonly #run: RunQuery
  readonly #report: (error: unknown) => void
  readonly #strict: StrictOptions
  readonly #queue: (QueuedTransaction | QueuedWrites)[] = []
  /** Writes that wait for the next commit. */
  readonly #unhurried: QueuedWrites[] = []
  #draining: Promise<void> | undefined
  #closed = false

  constructor(
    writer: SqliteConnection,
    report: (error: unknown) => void,
    strict: StrictOptions = {},
    trace?: TraceStatement,
  ) {
    this.#writer = writer
    this.#run = traced(async (query) => writer.run(query), trace)
    this.#report = report
    this.#strict = strict
  }

  /** Queued transactions. */
  get waiting(): number {
    return this.#queue.length
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    refuseNesting('A transaction')
    this.#admit()
    const inCallerContext = AsyncLocalStorage.snapshot()
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, options, inCallerContext, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Runs guarded writes in one turn of the event loop. */
  async together(db: ReadDb, guarded: GuardedWrites): Promise<boolean> {
    refuseNesting('Guarded writes')
    this.#admit()
    return new Promise<boolean>((resolve, reject) => {
      this.#queue.push({ guarded, db, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Runs a write with the next commit, or with one of its own. */
  async withNextCommit(db: ReadDb, write: Statement): Promise<void> {
    refuseNesting('A write through the store')
    this.#admit()
    await new Promise<boolean>((resolve, reject) => {
      this.#unhurried.push({ guarded: { guards: [], writes: [write] }, db, resolve, reject })
      setTimeout(() => this.#hurry(), NEXT_COMMIT)
    })
  }

  #hurry(): void {
    // With an empty queue, `#drain` would end before it is remembered, and nothing would begin the next one.
    if (this.#unhurried.length === 0) return
    this.#queue.push(...this.#unhurried.splice(0))
    this.#draining ??= this.#drain()
  }

  /** Throws `unavailable` when no further transaction is taken. */
  #admit(): void {
    // In the words of Node.js for what is read then.
    if (this.#closed) throw problem('unavailable', { retry_after: 1, cause: new Error('database is not open') })
    if (this.#queue.length >= WAITING) throw problem('unavailable', { retry_after: 1 })
  }

  /** Completes the queued transactions and rejects new ones. */
  async close(): Promise<void> {
    this.#closed = true
    this.#hurry()
    await this.#draining
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        await this.#gather()
        await this.#group()
      }
    } finally {
      this.#draining = undefined
    }
  }

  /**
   * Waits for transactions that join the commit: requests that arrived together are read in the same turn of the event
   * loop. The transaction of SQLite begins afterwards, because reads use the writer while it has none.
   */
  async #gather(): Promise<void> {
    const until = performance.now() + GROUP.milliseconds
    let known: number
    do {
      known = this.#queue.length
      await nextTurn()
    } while (this.#queue.length > known && this.#queue.length < GROUP.size && performance.now() < until)
  }

  async #group(): Promise<void> {
    this.#queue.push(...this.#unhurried.splice(0))
    let beginError = await this.#begin()
    let outcomes = beginError ? [] : this.#withoutSavepoints()
    if (!outcomes) {
      this.#rollback()
      beginError = await this.#begin()
      outcomes = []
    }
    if (beginError) {
      for (const queued of this.#queue.splice(0)) queued.reject(beginError)
      return
    }
    const until = performance.now() + GROUP.milliseconds
    while (this.#writer.inTransaction && outcomes.length < GROUP.size && performance.now() < until) {
      const queued = this.#queue.shift()
      if (!queued) break
      outcomes.push('guarded' in queued ? this.#guarded(queued) : await this.#one(queued))
    }
    this.#settle(outcomes, this.#commit())
  }

  /**
   * Runs the guarded writes at the head of the queue without savepoints: with one, SQLite copies each page that is changed, and the guards nearly
   * always hold. When one does not, or a statement throws, returns undefined and leaves all of them in the queue. What they have written must then be
   * rolled back; they run again, each in a savepoint, so that only the caller of the failed one gets its error.
   */
  #withoutSavepoints(): Outcome[] | undefined {
    const until = performance.now() + GROUP.milliseconds
    const outcomes: Outcome[] = []
    for (const queued of this.#queue.slice(0, GROUP.size)) {
      if (!('guarded' in queued) || performance.now() > until) break
      try {
        if (!this.#runGuarded(queued)) return undefined
      } catch {
        return undefined
      }
      outcomes.push({ queued, value: true })
    }
    this.#queue.splice(0, outcomes.length)
    return outcomes
  }

  /** Returns undefined when the write lock is taken, or the error. */
  async #begin(): Promise<Error | undefined> {
    const [first] = this.#queue
    // Work that may take longer, such as a migration, also waits longer, as on PostgreSQL.
    const longest = first && 'work' in first ? (first.options.timeout ?? 0) : 0
    const until = performance.now() + Math.max(TIMEOUTS.answer, longest)
    for (;;) {
      try {
        this.#writer.refuseOtherFile()
        this.#writer.execute('begin immediate')
        return undefined
      } catch (cause) {
        if (!isBusy(cause) || performance.now() > until) return problem('unavailable', { retry_after: 1, cause })
        await pause(10)
      }
    }
  }

  async #one(queued: QueuedTransaction): Promise<Outcome> {
    const open = new OpenTransaction(this.#strict)
    try {
      this.#writer.execute('savepoint one')
      const value = await queued.inCallerContext(() => open.perform('sqlite', this.#run, queued.work, queued.options))
      this.#writer.execute('release one')
      return { queued, open, value }
    } catch (error) {
      this.#undoOne()
      return { queued, error }
    }
  }

  #guarded(queued: QueuedWrites): Outcome {
    try {
      this.#writer.execute('savepoint one')
      const holds = this.#runGuarded(queued)
      if (!holds) this.#writer.execute('rollback to one')
      this.#writer.execute('release one')
      return { queued, value: holds }
    } catch (error) {
      this.#undoOne()
      return isReferenceViolation(error) ? { queued, value: false } : { queued, error }
    }
  }

  /** Runs the guards, and the writes if all of them hold; returns whether they do. */
  #runGuarded({ guarded, db }: QueuedWrites): boolean {
    const run = (statement: Statement) => this.#writer.run<{ holds: number }>(statement.compiled(db))
    const holds = guarded.guards.every((guard) => {
      const { rows, numAffectedRows } = run(guard.statement)
      if ('changes' in guard) return (numAffectedRows ?? 0n) > 0n
      const [row] = rows
      return row ? row.holds === 1 : guard.missing
    })
    if (holds) for (const write of guarded.writes) run(write)
    return holds
  }

  #undoOne(): void {
    // On a full disk or an I/O error SQLite itself rolls back the whole group.
    if (!this.#writer.inTransaction) return
    try {
      this.#writer.execute('rollback to one')
      this.#writer.execute('release one')
    } catch (error) {
      this.#report(error)
      this.#rollback()
    }
  }

  /** Returns undefined when the commit is durable, or the error. */
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
      if ('error' in outcome) outcome.queued.reject(outcome.error)
      else if (failure !== undefined) outcome.queued.reject(failure)
      else if ('open' in outcome) {
        const { queued, open, value } = outcome
        if (open.hooks.length > 0) queued.inCallerContext(() => startHooks(open.hooks, this.#report))
        queued.resolve(value)
      } else outcome.queued.resolve(outcome.value)
    }
  }
}

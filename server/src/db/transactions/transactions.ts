import { AsyncLocalStorage } from 'node:async_hooks'
import { within } from '../../lib/waiting/within.ts'
import { type Db, makeHandle, type RunQuery } from '../compiled-queries/handle.ts'
import type { Engine } from '../dialect.ts'
import { LockOrderCheck } from '../lock-order.ts'
import { TIMEOUTS } from '../timeouts.ts'

export type Hook = () => unknown

/** The argument of the work of a transaction. */
export interface Tx {
  /** Queries through it belong to the transaction; it throws after the end of the transaction. */
  db: Db
  /** Runs the hook after the commit. Its errors are logged, not thrown. */
  after(hook: Hook): void
}

export type TransactionOptions = {
  /** Milliseconds after which an unfinished transaction is rolled back, and the longest time of one statement; 10 and 3.5 seconds by default. */
  timeout?: number
}

/**
 * Runs `work` as one transaction and resolves after the commit; throws what `work` throws, after the rollback.
 * PostgreSQL may run `work` again after a conflict, so external effects belong in `after`. A failed statement dooms the
 * transaction in both databases; use `on conflict do nothing` to continue after a conflict.
 */
export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>

/** Assertions of tests. */
export type StrictOptions = {
  /** A transaction that locks rows against `LOCK_ORDER` fails. */
  assertLockOrder?: boolean
  /** Receives the deadlocks that PostgreSQL has detected; their transactions are repeated nevertheless. */
  onDeadlock?: (error: unknown) => void
}

const running = new AsyncLocalStorage<OpenTransaction>()

/** The open transaction in which the calling code runs. */
export function currentTransaction(): OpenTransaction | undefined {
  const current = running.getStore()
  return current?.isOpen ? current : undefined
}

/** The part of a transaction that both databases share: handle, hooks and rejected uses. */
export class OpenTransaction {
  readonly hooks: Hook[] = []
  /** The handle, while `perform` runs. */
  db: Db | undefined
  #ended = false
  #abandoned = false
  #failure: unknown
  readonly #lockOrder: LockOrderCheck | undefined

  constructor({ assertLockOrder = false }: StrictOptions = {}) {
    if (assertLockOrder) this.#lockOrder = new LockOrderCheck()
  }

  get isOpen(): boolean {
    return !this.#ended
  }

  /** The error of the first failed statement. */
  get failure(): unknown {
    return this.#failure
  }

  get isAbandoned(): boolean {
    return this.#abandoned
  }

  /** Gives up the work: its handle throws from now on. */
  abandon(): void {
    this.#abandoned = true
    this.#ended = true
  }

  async perform<T>(
    engine: Engine,
    run: RunQuery,
    work: (tx: Tx) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const db = makeHandle(engine, (query) => this.#statement(run, query))
    this.db = db
    try {
      const longest = options.timeout ?? TIMEOUTS.transaction
      const value = await within(
        longest,
        running.run(this, async () => work({ db, after: (hook) => void this.hooks.push(hook) })),
        () => new TransactionTimeout(longest),
      )
      if (this.#failure !== undefined) {
        throw new Error('The transaction cannot be committed: one of its statements had failed', {
          cause: this.#failure,
        })
      }
      return value
    } finally {
      // Work that continues after the end must not write into another transaction.
      this.#ended = true
    }
  }

  async #statement(run: RunQuery, query: Parameters<RunQuery>[0]) {
    if (this.#ended) throw new Error('This transaction has ended; its handle cannot be used any more')
    if (this.#failure !== undefined) {
      throw new Error('An earlier statement of this transaction failed; nothing more can be done in it', {
        cause: this.#failure,
      })
    }
    try {
      this.#lockOrder?.check(query.query)
      return await run<never>(query)
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }
}

/** Throws inside a transaction: a nested one would wait for the outer one forever. */
export function refuseNesting(what: string): void {
  if (currentTransaction())
    throw new Error(`${what} inside a transaction would wait for itself; use the transaction's own db`)
}

/** Starts the hooks of a committed transaction in their order, without waiting for them. */
export function startHooks(hooks: readonly Hook[], report: (error: unknown) => void): void {
  for (const hook of hooks) void (async () => hook())().catch(report)
}

/** The transaction did not finish in time and was rolled back. */
class TransactionTimeout extends Error {
  override name = 'TransactionTimeout'
  readonly code = 'TRANSACTION_TIMEOUT'
  constructor(milliseconds: number) {
    super(`The transaction was rolled back: its work had not finished after ${milliseconds} ms`)
  }
}

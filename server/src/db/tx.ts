import { AsyncLocalStorage } from 'node:async_hooks'
import type { Engine } from './dialect.ts'
import { type Db, makeHandle, type RunQuery } from './handle.ts'

export type Hook = () => unknown

/** What the work inside a transaction gets. */
export interface Tx {
  /** Everything done through it is one transaction; it refuses once that has ended. */
  db: Db
  /** Runs once, only when the transaction has really committed. Its errors are logged, not thrown. */
  after(hook: Hook): void
}

export type TransactionOptions = {
  /** Milliseconds after which unfinished work is rolled back; 10 seconds when not given. */
  timeout?: number
}

/**
 * Runs `work` as one transaction and resolves after its commit; throws what `work` throws, after the rollback.
 * PostgreSQL may run `work` again when two transactions collide, so effects on the outside belong in `after`.
 * A statement that fails dooms its transaction on both engines; use `on conflict do nothing` to go on after a collision.
 */
export type Transact = <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>

const TIMEOUT = 10_000
const running = new AsyncLocalStorage<OpenTransaction>()

/** The transaction in which the calling code runs, if it is still open. */
export function currentTransaction(): OpenTransaction | undefined {
  const current = running.getStore()
  return current?.isOpen ? current : undefined
}

/** The part of a transaction that is the same on both engines: its handle, its hooks, and what it refuses. */
export class OpenTransaction {
  readonly hooks: Hook[] = []
  /** The handle, while `perform` runs. */
  db: Db | undefined
  #ended = false
  #abandoned = false
  #failure: unknown

  get isOpen(): boolean {
    return !this.#ended
  }

  /** Why the first of its statements failed, if one did. */
  get failure(): unknown {
    return this.#failure
  }

  get isAbandoned(): boolean {
    return this.#abandoned
  }

  /** Whatever its work still does, nobody waits for it any more, and its handle refuses. */
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
      const value = await within(
        options.timeout ?? TIMEOUT,
        running.run(this, async () => work({ db, after: (hook) => void this.hooks.push(hook) })),
      )
      if (this.#failure !== undefined) {
        throw new Error('The transaction cannot be committed: one of its statements had failed', {
          cause: this.#failure,
        })
      }
      return value
    } finally {
      // A straggler must never write into somebody else's transaction.
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
      return await run<never>(query)
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }
}

/** Refuses a transaction inside a transaction: the inner one would wait for the outer one, for ever. */
export function refuseNesting(what: string): void {
  if (currentTransaction())
    throw new Error(`${what} inside a transaction would wait for itself; use the transaction's own db`)
}

/** Starts the hooks of a committed transaction, in their order. Whoever asked for it is not kept waiting for them. */
export function startHooks(hooks: readonly Hook[], report: (error: unknown) => void): void {
  for (const hook of hooks) void (async () => hook())().catch(report)
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TransactionTimeout(milliseconds)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The work of a transaction did not finish in time and was rolled back. */
export class TransactionTimeout extends Error {
  override name = 'TransactionTimeout'
  constructor(milliseconds: number) {
    super(`The transaction was rolled back: its work had not finished after ${milliseconds} ms`)
  }
}

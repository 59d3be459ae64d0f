import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '@vrata/contract'
import { CompiledQuery, type QueryResult } from 'kysely'
import type { Sql } from 'postgres'
import type { TraceStatement } from '../../lib/tracing.ts'
import type { RunQuery } from '../compiled-queries/handle.ts'
import {
  isConcurrencyConflict,
  isConnectionLost,
  isConnectTimeout,
  isDeadlock,
  isDivisionByZero,
  isNeverSent,
  isReferenceViolation,
  isWorthRepeating,
} from '../dialect.ts'
import { traced } from '../statement-tracing.ts'
import type { Timeouts } from '../timeouts.ts'
import {
  OpenTransaction,
  refuseNesting,
  type StrictOptions,
  startHooks,
  type TransactionOptions,
  type Tx,
} from '../transactions/transactions.ts'
import { AnswerTimer, NoAnswer } from './answer-timer.ts'
import { Backends } from './backends.ts'
import { type ConnectClient, connectClient, localLimits } from './postgres-client.ts'
import { Silence } from './silence.ts'
import { answerTo, giveUp, type Sent, statementOn } from './statements.ts'

/** Maximum number of statements and transactions in progress; further ones are rejected with `unavailable`. */
const UNDER_WAY = 2000
/** Attempts after deadlocks, serialization failures and broken connections, of which there may be one for each connection. */
const REPEATS = 10
/** Attempts after violations that a concurrent transaction may have caused; a violation of its own fails again. */
const OVERTAKEN = 3

export type PoolOptions = {
  /** Most connections. */
  connections: number
  timeouts: Timeouts
  /** Whether a pooler is in front of PostgreSQL. */
  pooled: boolean
  /** Whether connections to a standby are refused. */
  onPrimary?: boolean
  /** Whether rows of small tables are found by an index, too. */
  byIndex?: boolean
  /** Shared by the pools of one PostgreSQL. */
  silence?: Silence
  /** Receives errors of after-commit hooks, and what an operator should know. */
  report: (error: unknown) => void
  trace?: TraceStatement | undefined
  /** `connectClient` when undefined. */
  connect?: ConnectClient | undefined
} & StrictOptions

/** A pool over postgres.js. Statements outside transactions are pipelined over its connections (decision 0011). */
export class PostgresPool {
  readonly #url: string
  readonly #options: PoolOptions
  #sql: Sql
  #underWay = 0
  #answeredAt = performance.now()
  #backends = new Backends()
  #isLooking = false
  #waitsForStandby = false
  readonly #silence: Silence

  constructor(url: string, options: PoolOptions) {
    this.#url = url
    this.#options = options
    this.#silence = options.silence ?? new Silence()
    this.#sql = this.#connect()
    this.run = traced((query) => repeated(() => this.#statement(query), isNeverSent), options.trace)
  }

  /** Statements and transactions in progress or waiting for a connection. */
  get operations(): number {
    return this.#underWay
  }

  readonly run: RunQuery

  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    refuseNesting('A transaction')
    return repeated(
      () => this.#once(work, options),
      (error, attempt) => {
        if (isDeadlock(error)) this.#options.onDeadlock?.(error)
        return isWorthRepeating(error) || isNeverSent(error) || (isConcurrencyConflict(error) && attempt <= OVERTAKEN)
      },
    )
  }

  /** Runs the one statement of guarded writes; false when a guard does not hold, or when it refers to a deleted row. */
  async together(query: CompiledQuery): Promise<boolean> {
    refuseNesting('Guarded writes')
    try {
      await repeated(
        () => this.#statement(query),
        (error) => {
          if (isDeadlock(error)) this.#options.onDeadlock?.(error)
          return isWorthRepeating(error) || isNeverSent(error)
        },
      )
      return true
    } catch (error) {
      if (isDivisionByZero(error) || isReferenceViolation(error)) return false
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: this.#options.timeouts.close / 1000 })
  }

  /** Opens the first connection. */
  async connect(): Promise<void> {
    await this.run(CompiledQuery.raw('select 1'))
  }

  #connect(): Sql {
    const { connections: max, timeouts, pooled, onPrimary, byIndex, connect = connectClient } = this.#options
    return connect(this.#url, { max, timeouts, pooled, onPrimary, byIndex })
  }

  async #statement<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const leave = this.#enter()
    const timer = new AnswerTimer(this.#patience)
    const sent = statementOn(this.#sql, query)
    const answer = timer.of(this.#answerTo<R>(sent))
    answer.then(leave, leave)
    try {
      return await this.#unlessOverdue(answer, timer)
    } catch (error) {
      giveUp(sent)
      throw error
    }
  }

  async #once<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T> {
    const leave = this.#enter()
    const { timeouts, pooled, report, trace, ...strict } = this.#options
    const answer = Math.max(this.#patience, options.timeout ?? 0)
    const open = new OpenTransaction(strict)
    const timer = new AnswerTimer(answer)
    let isOver = false
    timer.start()
    const begun = this.#sql.begin(async (sql) => {
      timer.stop()
      this.#noteAnswer()
      // The caller does not wait any more; the error rolls it back.
      if (timer.hasFailed) throw new NoAnswer(answer)
      if (options.timeout) void sql.unsafe(localLimits({ ...timeouts, statement: options.timeout })).execute()
      else if (pooled) void sql.unsafe(localLimits(timeouts)).execute()
      const run = traced((query) => timer.of(this.#answerTo(statementOn(sql, query))), trace)
      const value = await whileConnected(
        () => isOver || isConnectionLost(open.failure),
        open.perform('postgres', run, work, options),
        () => timer.fail(open.failure),
      ).finally(() => timer.start())
      // An answer that came too late for the caller. The driver would commit.
      if (timer.hasFailed) throw new NoAnswer(answer)
      return value
    })
    const end = () => {
      isOver = true
      timer.stop()
      leave()
    }
    begun.then(end, end)
    try {
      const value = await this.#unlessOverdue(begun as Promise<T>, timer)
      startHooks(open.hooks, report)
      return value
    } finally {
      // When the connection breaks, `begin` settles before the work does; the rest of the work must not be sent.
      open.abandon()
    }
  }

  /** Settles like the answer, or rejects when it does not come in time. */
  async #unlessOverdue<T>(answer: Promise<T>, timer: AnswerTimer): Promise<T> {
    try {
      return await Promise.race([answer, timer.overdue])
    } catch (error) {
      if (error instanceof NoAnswer) this.#connectAnewIfSilent(error)
      // So that the next pool used for the same request does not also wait for its full timeout.
      if (isConnectTimeout(error)) this.#beginSilence(this.#options.timeouts.connect, error)
      throw error
    }
  }

  /** Milliseconds for an answer. While PostgreSQL is silent, no further statement waits as long as the first. */
  get #patience(): number {
    const { answer, answer_again } = this.#options.timeouts
    return this.#silence.isSilent ? answer_again : answer
  }

  /**
   * A connection to a paused server, or to a former primary, stays open and never answers. When no connection of this pool has
   * answered for as long as a statement waits, all of them are given up, unless PostgreSQL works for them.
   */
  #connectAnewIfSilent(error: NoAnswer): void {
    const { timeouts, pooled } = this.#options
    // A timer of Node may be called up to a millisecond early, and no other may follow.
    if (this.#isLooking || Math.ceil(performance.now() - this.#answeredAt) < timeouts.answer) return
    this.#beginSilence(timeouts.answer, error)
    this.#isLooking = true
    const began = performance.now()
    void this.#backends.look(this.#url, timeouts, pooled).then((seen) => {
      this.#isLooking = false
      if (this.#answeredAt > began) return
      this.#answeredAt = performance.now()
      if (seen === 'gone') this.#connectAnew()
      if (seen !== 'waiting for a standby' || this.#waitsForStandby) return
      this.#waitsForStandby = true
      this.#options.report(new Error('Commits wait for a synchronous standby', { cause: error }))
    })
  }

  #connectAnew(): void {
    const silent = this.#sql
    this.#sql = this.#connect()
    this.#backends = new Backends()
    void silent.end({ timeout: 0 }).catch(this.#options.report)
  }

  #beginSilence(milliseconds: number, cause: unknown): void {
    if (this.#silence.begin(milliseconds)) this.#options.report(new Error('The database does not answer', { cause }))
  }

  async #answerTo<R>(sent: Sent): Promise<QueryResult<R>> {
    try {
      const value = await this.#backends.watch(sent, answerTo<R>(sent))
      this.#noteAnswer()
      return value
    } catch (error) {
      // An error of the server is an answer, too.
      if ((error as { severity?: unknown }).severity !== undefined) this.#noteAnswer()
      throw error
    }
  }

  #noteAnswer(): void {
    this.#answeredAt = performance.now()
    this.#waitsForStandby = false
    this.#silence.end()
  }

  /** Counts a statement or transaction until the function that it returns is called. */
  #enter(): () => void {
    if (this.#underWay >= UNDER_WAY) throw problem('unavailable', { retry_after: 1 })
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
    }
  }
}

async function repeated<T>(
  work: () => Promise<T>,
  isWorthIt: (error: unknown, attempt: number) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt > REPEATS || !isWorthIt(error, attempt)) throw error
      await pause(Math.random() * 10 * attempt)
    }
  }
}

/**
 * Settles like the work, but never once the connection is lost; `lost` is called instead. `begin` then rejects by itself; if
 * the work settled as well, the driver would send `rollback` over a closed connection, which ends the process, or over a
 * connection that serves another transaction.
 */
function whileConnected<T>(isLost: () => boolean, work: Promise<T>, lost: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(
      (value) => (isLost() ? lost() : resolve(value)),
      (error) => (isLost() ? lost() : reject(error)),
    )
  })
}

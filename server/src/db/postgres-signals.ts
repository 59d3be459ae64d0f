import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql as rawSql } from 'kysely'
import type { Sql } from 'postgres'
import { AnswerTimer } from './answer-timer.ts'
import type { Db } from './compiled-queries/handle.ts'
import type { ClientOptions } from './postgres-client.ts'
import { LocalSignals } from './signals.ts'
import type { Timeouts } from './timeouts.ts'
import { currentTransaction } from './transactions.ts'

/** The PostgreSQL channel that carries all our channels. */
const WIRE = 'vrata'
type Message = { from: string; channel: string; payload: string }

/** Milliseconds between attempts to listen again. */
const AGAIN = 200

type Connect = (handlers: Pick<ClientOptions, 'onnotify' | 'onclose'>) => Sql
/** A connection that listens; `lost` resolves when it has ended. */
type Line = { client: Sql; lost: Promise<'lost'> }

/**
 * LISTEN and NOTIFY. The sending process calls its own listeners directly after the commit; other processes receive the
 * notification.
 */
export class PostgresSignals extends LocalSignals {
  readonly #self = randomUUID()
  readonly #db: Db
  readonly #closing = new AbortController()
  #listening: Promise<void> = Promise.resolve()

  constructor(db: Db, report: (error: unknown) => void) {
    super(report)
    this.#db = db
  }

  /** Resolves when listening has begun. A lost connection, or one that does not answer, is replaced until `close`. */
  async listen(connect: Connect, timeouts: Timeouts): Promise<void> {
    const first = await this.#open(connect, timeouts)
    this.#listening = this.#stay(first, connect, timeouts)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#listening
  }

  override async announce(channel: string, payload: string): Promise<void> {
    const message: Message = { from: this.#self, channel, payload }
    const db = currentTransaction()?.db ?? this.#db
    await rawSql`select pg_notify(${WIRE}, ${JSON.stringify(message)})`.execute(db)
    await super.announce(channel, payload)
  }

  #receive(text: string): void {
    const { from, channel, payload } = JSON.parse(text) as Message
    if (from !== this.#self) this.tell(channel, payload)
  }

  async #open(connect: Connect, timeouts: Timeouts): Promise<Line> {
    const { promise: lost, resolve } = Promise.withResolvers<'lost'>()
    const client = connect({ onnotify: (_, text) => this.#receive(text), onclose: () => resolve('lost') })
    try {
      await inTime(client.unsafe(`listen ${WIRE}`), timeouts)
      return { client, lost }
    } catch (error) {
      await client.end({ timeout: 0 })
      throw error
    }
  }

  async #stay(first: Line, connect: Connect, timeouts: Timeouts): Promise<void> {
    const { signal } = this.#closing
    const closed = new Promise<'closed'>((resolve) =>
      signal.addEventListener('abort', () => resolve('closed'), { once: true }),
    )
    for (let line: Line | undefined = first; !signal.aborted; ) {
      if (line) {
        await Promise.race([this.#untilSilent(line, timeouts), closed])
        await line.client.end({ timeout: 0 })
        line = undefined
      } else {
        line = await this.#open(connect, timeouts).catch(() => undefined)
        if (line && !signal.aborted) this.tellEverybodyToForget()
        if (!line) await Promise.race([pause(AGAIN), closed])
      }
      if (line && signal.aborted) await line.client.end({ timeout: 0 })
    }
  }

  /** Resolves when the connection is lost or does not answer. */
  async #untilSilent({ client, lost }: Line, timeouts: Timeouts): Promise<void> {
    const { signal } = this.#closing
    for (;;) {
      const beat = pause(timeouts.beat, 'beat' as const, { ref: false, signal }).catch(() => 'lost' as const)
      if ((await Promise.race([lost, beat])) === 'lost') return
      const answers = await inTime(client.unsafe('select 1'), timeouts).then(
        () => true,
        () => false,
      )
      if (!answers) return
    }
  }
}

async function inTime<T>(answer: PromiseLike<T>, { answer: milliseconds }: Timeouts): Promise<T> {
  const timer = new AnswerTimer(milliseconds)
  return await Promise.race([timer.of(Promise.resolve(answer)), timer.overdue])
}

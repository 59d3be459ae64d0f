import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { AnswerTimer } from '../postgres/answer-timer.ts'
import type { ClientOptions } from '../postgres/postgres-client.ts'
import type { Timeouts } from '../timeouts.ts'
import { SharedSignals } from './shared-signals.ts'
import { type Signal, WIRE } from './signals-store.ts'

/** Milliseconds between attempts to listen again. */
const AGAIN = 200

export type Connect = (handlers: Pick<ClientOptions, 'onnotify' | 'onclose'>) => Sql
/** A connection that listens; `lost` resolves when it has ended. */
type Line = { client: Sql; lost: Promise<'lost'> }

/** Signals by LISTEN and NOTIFY, over a connection of their own that no pooler shares. */
export class ListenedSignals extends SharedSignals {
  readonly #closing = new AbortController()
  #listening: Promise<void> = Promise.resolve()

  /** Resolves when listening has begun. A lost connection, or one that does not answer, is replaced until `close`. */
  async listen(connect: Connect, timeouts: Timeouts): Promise<void> {
    const first = await this.#open(connect, timeouts)
    this.#listening = this.#stay(first, connect, timeouts)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#listening
  }

  #receive(text: string): void {
    const { from, channel, payload } = JSON.parse(text) as Signal
    if (from !== this.self) this.tell(channel, payload)
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

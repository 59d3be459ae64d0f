import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { AnswerTimer } from '../postgres/answer-timer.ts'
import type { ClientOptions } from '../postgres/postgres-client.ts'
import type { Timeouts } from '../timeouts.ts'
import { SharedSignals } from './shared-signals.ts'
import { type Signal, WIRE } from './signals-store.ts'

/** Milliseconds between attempts to listen again. */
const AGAIN = 200

export type Handlers = Pick<ClientOptions, 'onnotify' | 'onclose'>
export type Connect = (handlers: Handlers) => Sql
/** A connection that listens; `lost` is aborted when it has ended. */
type Line = { client: Sql; lost: AbortSignal }

/** Signals by LISTEN and NOTIFY, over a connection of their own that no pooler shares. */
export class ListenedSignals extends SharedSignals {
  readonly #closing = new AbortController()
  #listening: Promise<void> = Promise.resolve()

  /** Resolves when listening has begun. A lost connection, or one that does not answer, is replaced until `close`. */
  async listen(connect: Connect): Promise<void> {
    const first = await this.#open(connect)
    this.#listening = this.#stay(first, connect)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#listening
  }

  #receive(text: string): void {
    this.deliver(JSON.parse(text) as Signal)
  }

  async #open(connect: Connect): Promise<Line> {
    const lost = new AbortController()
    const client = connect({ onnotify: (_, text) => this.#receive(text), onclose: () => lost.abort() })
    const { signal } = this.#closing
    const end = () => client.end({ timeout: 0 })
    // A server that ends does not wait for a database that is silent.
    signal.addEventListener('abort', end)
    try {
      await inTime(client.unsafe(`listen ${WIRE}`), this.timeouts)
      return { client, lost: lost.signal }
    } catch (error) {
      await end()
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  async #stay(first: Line, connect: Connect): Promise<void> {
    const { signal } = this.#closing
    for (let line: Line | undefined = first; !signal.aborted; ) {
      if (line) {
        const { client } = line
        const end = () => client.end({ timeout: 0 })
        signal.addEventListener('abort', end)
        await this.#untilSilent(line)
        this.noteAbsence()
        signal.removeEventListener('abort', end)
        await end()
        line = undefined
      } else {
        line = await this.#open(connect).catch((error: unknown) => {
          this.noteAbsence(error)
          return undefined
        })
        if (line && !signal.aborted) {
          this.noteArrival()
          this.tellEverybodyToForget()
        }
        if (!line) await pause(AGAIN, undefined, { signal }).catch(() => {})
      }
      if (line && signal.aborted) await line.client.end({ timeout: 0 })
    }
  }

  /** Resolves when the connection is lost, does not answer, or is to be closed. */
  async #untilSilent({ client, lost }: Line): Promise<void> {
    const ended = AbortSignal.any([lost, this.#closing.signal])
    for (;;) {
      // Not a race with a promise of the connection, which would keep each beat as long as the connection lives.
      await pause(this.timeouts.beat, undefined, { ref: false, signal: ended }).catch(() => {})
      if (ended.aborted) return
      const answers = await inTime(client.unsafe('select 1'), this.timeouts).then(
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

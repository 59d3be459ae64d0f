import { constants } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Signals of a person, a timer or a terminal that end a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Ending = (typeof SIGNALS)[number]

/** That of a process without listeners, as a shell says it. */
export const exitCodeAfter = (signal: Ending) => 128 + constants.signals[signal]

/** A signal has ended a command, which has undone what it had begun. */
export class Interrupted extends Error {
  override name = 'Interrupted'
  readonly exitCode: number
  constructor(signal: Ending) {
    super(`Interrupted by ${signal}.`)
    this.exitCode = exitCodeAfter(signal)
  }
}

/** Runs work that undoes what it has begun when its signal is aborted: by the first signal of the system. A second one ends the process. */
export async function untilInterrupted<T>(work: (interruption: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController()
  const end = (signal: Ending) => {
    stopListening()
    interruption.abort(new Interrupted(signal))
  }
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    return await work(interruption.signal)
  } finally {
    stopListening()
  }
}

/** Passes pieces on until the signal is aborted, and throws its reason. Between two pieces the process can notice a signal. */
export async function* unlessInterrupted<T>(
  interruption: AbortSignal,
  pieces: AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  for await (const piece of pieces) {
    await nextTurn()
    interruption.throwIfAborted()
    yield piece
  }
}

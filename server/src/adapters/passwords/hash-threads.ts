import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { problem } from '@vrata/contract'
import type { Cost } from './cost.ts'

/** Computes Argon2id hashes. */
export interface Argon2 {
  /** How many hashes it may be given before one has ended. */
  atOnce: number
  hash(password: string, cost: Cost): Promise<string>
  verify(stored: string, password: string): Promise<Verified>
}

/** `ms`: how long the hash took, without what it waited. */
export type Verified = { right: boolean; ms: number }

/** A hash that a thread shall compute or verify; a message to it has a list of them. */
export type Work = { password: string } & ({ cost: Cost } | { stored: string })
/** Its answer; a message has those to the first hashes that are not answered yet, in their order. */
export type Answer = { value: string | Verified } | { error: string }

/** The program of a thread, next to this file, as a source or bundled. */
const PROGRAM = join(import.meta.dirname, `hash-thread${extname(import.meta.filename)}`)

/** Threads for hashes: one core is left to everything else, and one process cannot handle more sign-ins than four threads hash. */
export const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1))

/** Name of the threads, as /proc and profilers show it. */
export const THREAD_NAME = 'password hash'

/** The threads only hash: they need next to no memory of JavaScript. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1 }

/**
 * Hashes that a thread gets and answers in one message, if so many wait. What follows them then runs together on the main thread: it shares
 * turns of the event loop and commits, and reads once into the caches of the processor what a hash has displaced from them (decision 0015).
 */
export const TOGETHER = 4

/** Hashes in threads of their own, which start when they are first needed. They do not keep the process running. */
export function hashThreads({ threads = THREADS, program = PROGRAM } = {}): Argon2 {
  const open: HashThread[] = []
  const waiting: Waiting[] = []
  /** No thread takes what another one could begin. */
  const next = () => waiting.splice(0, Math.min(TOGETHER, Math.ceil(waiting.length / threads)))
  const ended = (one: HashThread) => {
    open.splice(open.indexOf(one), 1)
    if (waiting.length > 0) begin()
  }
  /** Undefined when the system starts no further thread, because there are too many (pthread_create(3), `EAGAIN`). */
  const start = () => {
    try {
      const thread = new HashThread(program, { next, ended })
      open.push(thread)
      return thread
    } catch (cause) {
      // The other threads take what waits. Without one, nothing would.
      if (open.length > 0) return undefined
      for (const { reject } of waiting.splice(0)) reject(failed(cause))
      return undefined
    }
  }
  const begin = () => {
    const thread = open.find(({ busy }) => !busy) ?? (open.length < threads ? start() : undefined)
    thread?.takeNext()
  }
  const run = (work: Work) =>
    new Promise<string | Verified>((resolve, reject) => {
      waiting.push({ work, resolve, reject })
      begin()
    })
  return {
    // Those in progress, and as many that follow without a pause.
    atOnce: threads * TOGETHER * 2,
    hash: async (password, cost) => (await run({ password, cost })) as string,
    verify: async (stored, password) => (await run({ password, stored })) as Verified,
  }
}

/** It may succeed later: a thread also fails without a free file handle. */
function failed(cause: unknown): Error {
  return problem('unavailable', { retry_after: 1, cause })
}

interface Waiting {
  work: Work
  resolve: (value: string | Verified) => void
  reject: (error: Error) => void
}

/** `next`: removes the next hashes from those that wait; `ended`: the thread has ended, and what it held is rejected. */
type Pool = { next: () => Waiting[]; ended: (thread: HashThread) => void }

class HashThread {
  readonly #worker: Worker
  readonly #pool: Pool
  /** What the thread computes, in this order. */
  #held: Waiting[] = []

  constructor(program: string, pool: Pool) {
    this.#pool = pool
    this.#worker = new Worker(program, {
      name: THREAD_NAME,
      resourceLimits: MEMORY,
      // The thread needs no settings of the process, such as its secret.
      env: {},
      execArgv: [],
    })
    this.#worker.on('message', (answers: Answer[]) => this.#settle(answers))
    // A thread that fails ends; the next hash starts another one.
    let failure = new Error('a thread that hashes passwords has ended')
    this.#worker.on('error', (error) => {
      failure = new Error('a thread that hashes passwords has failed', { cause: error })
    })
    this.#worker.on('exit', () => {
      for (const { reject } of this.#held) reject(failed(failure))
      pool.ended(this)
    })
  }

  get busy(): boolean {
    return this.#held.length > 0
  }

  takeNext(): void {
    this.#held = this.#pool.next()
    if (!this.busy) return
    this.#worker.ref()
    this.#worker.postMessage(this.#held.map(({ work }) => work))
  }

  #settle(answers: Answer[]): void {
    const answered = this.#held.splice(0, answers.length)
    if (!this.busy) {
      this.#worker.unref()
      // First, so that the thread does not wait for what follows the answers.
      this.takeNext()
    }
    for (const [index, answer] of answers.entries()) {
      const one = answered[index]
      if ('error' in answer) one?.reject(new Error(answer.error))
      else one?.resolve(answer.value)
    }
  }
}

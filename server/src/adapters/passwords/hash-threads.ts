import { availableParallelism } from 'node:os'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Cost } from './cost.ts'

/** Computes Argon2id hashes. */
export interface Argon2 {
  hash(password: string, cost: Cost): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

/** A message to a thread. */
export type Work = { id: number; password: string } & ({ cost: Cost } | { stored: string })
/** Its answer. */
export type Answer = { id: number } & ({ value: string | boolean } | { error: string })

/** The program of a thread, next to this file, as a source or bundled. */
const PROGRAM = join(import.meta.dirname, `hash-thread${extname(import.meta.filename)}`)

/** Threads for hashes: one core is left to everything else, and one process cannot handle more sign-ins than four threads hash. */
export const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1))

/** Name of the threads, as /proc and profilers show it. */
export const THREAD_NAME = 'password hash'

/** The threads only hash: they need next to no memory of JavaScript. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1 }

/**
 * Priority of the threads (nice(2)): where cores are short, other requests come first, and hashes still get the share that
 * performance §2 wants (W9, decision 0015).
 */
export const NICE = 1

/**
 * Hashes in threads of their own, which start when they are first needed and run at a lower priority than the rest of the process
 * where the system has priorities of threads (Linux). They do not keep the process running.
 */
export function hashThreads({ threads = THREADS, nice = NICE, program = PROGRAM } = {}): Argon2 {
  const open: HashThread[] = []
  const run = async (work: NewWork): Promise<string | boolean> => {
    let thread = open.find(({ waiting }) => waiting === 0)
    if (!thread && open.length < threads) {
      thread = new HashThread(program, nice, (ended) => void open.splice(open.indexOf(ended), 1))
      open.push(thread)
    }
    thread ??= open.reduce((a, b) => (b.waiting < a.waiting ? b : a))
    return await thread.run(work)
  }
  return {
    hash: async (password, cost) => (await run({ password, cost })) as string,
    verify: async (stored, password) => (await run({ password, stored })) as boolean,
  }
}

type NewWork = { password: string } & ({ cost: Cost } | { stored: string })

class HashThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve: (value: string | boolean) => void; reject: (error: Error) => void }>()
  #last = 0

  constructor(program: string, nice: number, ended: (thread: HashThread) => void) {
    this.#worker = new Worker(program, {
      name: THREAD_NAME,
      workerData: { nice },
      resourceLimits: MEMORY,
      // The thread needs no settings of the process, such as its secret.
      env: {},
      execArgv: [],
    })
    this.#worker.on('message', (answer: Answer) => this.#settle(answer))
    // A thread that fails ends; the next hash starts another one.
    let failure = new Error('a thread that hashes passwords has ended')
    this.#worker.on('error', (error) => {
      failure = new Error('a thread that hashes passwords has failed', { cause: error })
    })
    this.#worker.on('exit', () => {
      ended(this)
      for (const { reject } of this.#waiting.values()) reject(failure)
    })
  }

  /** Hashes in progress or waiting. */
  get waiting(): number {
    return this.#waiting.size
  }

  run(work: NewWork): Promise<string | boolean> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage({ id, ...work } as Work)
    })
  }

  #settle(answer: Answer): void {
    const one = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('error' in answer) one?.reject(new Error(answer.error))
    else one?.resolve(answer.value)
  }
}

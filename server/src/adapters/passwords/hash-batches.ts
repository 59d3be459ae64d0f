import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Cost } from './cost.ts'

/** Computes Argon2id hashes. */
export interface Argon2 {
  /** How many hashes it may be given before one has ended. */
  atOnce: number
  hash(password: string, cost: Cost): Promise<string>
  verify(stored: string, password: string): Promise<Verified>
}

/** `ms`: how long the hash took until the main thread knew, without what it waited for hashes before it. */
type Verified = { right: boolean; ms: number }

/** Threads that libuv has. */
// biome-ignore lint/style/noProcessEnv: a setting of libuv, which no other interface exposes
const POOL = Number(process.env.UV_THREADPOOL_SIZE) || 4

/**
 * Hashes at the same time: one core is left to everything else, and one thread of libuv to files and names. One process cannot handle more sign-ins
 * than four threads hash.
 */
export const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1, POOL - 1))

/**
 * Hashes that are answered together, if so many wait. What follows them then runs together on the main thread: it shares turns of the event
 * loop and commits, and reads once into the caches of the processor what a hash has displaced from them (decision 0015).
 */
const TOGETHER = 4

/** Milliseconds after which a hash that is done is answered without those that follow. */
const KEPT = 100

interface Options {
  threads?: number
  kept?: number
  argon2?: {
    hash(password: string, cost: Cost): Promise<string>
    verify(stored: string, password: string): Promise<boolean>
  }
}

/**
 * Hashes in threads of libuv, which other work of the process shares: at most `threads` at the same time. Each
 * batch computes its hashes one after the other, and answers them together.
 */
export function hashBatches({ threads = THREADS, kept = KEPT, argon2 = { hash, verify } }: Options = {}): Argon2 {
  const waiting: Task[] = []
  let batches = 0
  const begin = () => {
    if (batches === threads || waiting.length === 0) return
    batches += 1
    // No batch takes what another thread could begin.
    const tasks = waiting.splice(0, Math.min(TOGETHER, Math.ceil(waiting.length / threads)))
    void compute(tasks, kept, () => {
      batches -= 1
      begin()
    })
  }
  const run = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const answer = (value: T) => () => resolve(value)
      const refuse = (error: unknown) => () => reject(error)
      waiting.push(() => work().then(answer, refuse))
      begin()
    })
  return {
    // Hashes in progress, and as many that follow without a pause.
    atOnce: threads * TOGETHER * 2,
    hash: (password, cost) => run(async () => await argon2.hash(password, cost)),
    verify: (stored, password) =>
      run(async () => {
        const began = performance.now()
        return { right: await argon2.verify(stored, password), ms: performance.now() - began }
      }),
  }
}

/** Computes a hash, and resolves with what answers it. */
type Task = () => Promise<() => void>

async function compute(tasks: Task[], kept: number, ended: () => void): Promise<void> {
  let answers: (() => void)[] = []
  let began = performance.now()
  for (const [index, task] of tasks.entries()) {
    answers.push(await task())
    const last = index === tasks.length - 1
    if (!last && performance.now() - began < kept) continue
    // The next batch begins first, so that its thread does not wait for what follows the answers.
    if (last) ended()
    for (const answer of answers) answer()
    answers = []
    began = performance.now()
  }
}

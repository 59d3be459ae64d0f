import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Answer, Work } from './hash-threads.ts'

/**
 * Gives this thread alone a lower priority. On Linux each thread has its own, and setpriority(2) takes the id of a thread. On
 * other systems the id is not found, and the thread keeps the priority of the process.
 */
function lowerPriority(nice: number): void {
  try {
    // `<process id>/task/<thread id>`
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, Math.min(getPriority(thread) + nice, constants.priority.PRIORITY_LOW))
  } catch {
    // Hashes are as correct without it.
  }
}

/** Milliseconds that a thread keeps an answer at most, for those that are sent with it. */
const KEPT = 100

function answer({ password, ...work }: Work): Answer {
  const began = performance.now()
  try {
    if ('cost' in work) return { value: hashSync(password, work.cost) }
    const right = verifySync(work.stored, password)
    return { value: { right, ms: performance.now() - began } }
  } catch (error) {
    return { error: String(error) }
  }
}

function answerAll(works: Work[]): void {
  let answers: Answer[] = []
  let began = performance.now()
  for (const work of works) {
    answers.push(answer(work))
    if (performance.now() - began < KEPT) continue
    parentPort?.postMessage(answers)
    answers = []
    began = performance.now()
  }
  if (answers.length > 0) parentPort?.postMessage(answers)
}

lowerPriority(workerData.nice)
parentPort?.on('message', answerAll)

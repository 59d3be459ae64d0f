import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Answer, Work } from './hash-threads.ts'

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

parentPort?.on('message', answerAll)

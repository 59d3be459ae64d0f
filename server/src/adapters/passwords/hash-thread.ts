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

function answer({ id, password, ...work }: Work): Answer {
  try {
    if ('stored' in work) return { id, value: verifySync(work.stored, password) }
    return { id, value: hashSync(password, work.cost) }
  } catch (error) {
    return { id, error: String(error) }
  }
}

lowerPriority(workerData.nice)
parentPort?.on('message', (work: Work) => parentPort?.postMessage(answer(work)))

import { rm } from 'node:fs/promises'
import { endProcess } from '../lib/end-process.ts'
import { exitCodeAfter, SIGNALS } from '../lib/interruption.ts'
import { within } from '../lib/waiting/within.ts'

/** Milliseconds for the disk of the file. */
const PATIENCE = 5000

/**
 * Deletes a file when a signal ends the command, until the function that it returns is called. The command ends soon: what it waits for, such as a
 * store of files or the disk of the file, may not answer (unlike `untilInterrupted`). A second signal ends it at once.
 */
export function deletedOnSignal(file: string): () => void {
  const end = async (signal: (typeof SIGNALS)[number]) => {
    stopListening()
    await within(PATIENCE, rm(file, { force: true }), () => new Error('no answer')).catch(() => {})
    await endProcess(exitCodeAfter(signal))
  }
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return stopListening
}

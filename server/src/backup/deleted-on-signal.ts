import { rmSync } from 'node:fs'
import { exitCodeAfter, SIGNALS } from '../lib/interruption.ts'

/**
 * Deletes a file when a signal ends the command, until the function that it returns is called. The command ends at once: what it waits for, such as a
 * store of files, may not answer (unlike `untilInterrupted`).
 */
export function deletedOnSignal(file: string): () => void {
  const end = (signal: (typeof SIGNALS)[number]) => {
    rmSync(file, { force: true })
    process.exit(exitCodeAfter(signal))
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

import { rmSync } from 'node:fs'
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Deletes a file when a signal ends the command, until the function that it returns is called. */
export function deletedOnSignal(file: string): () => void {
  const end = (signal: (typeof SIGNALS)[number]) => {
    rmSync(file, { force: true })
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

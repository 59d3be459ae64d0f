import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds for operations on files that are under way. */
const PATIENCE = 1000

/**
 * Ends the process with this code. `process.exit` waits for all threads, and one that waits for a folder which does not answer, such as that of a network
 * disk that is away, does not end: then the process ends by SIGKILL.
 */
export async function endProcess(code: number): Promise<void> {
  const end = performance.now() + PATIENCE
  while (isWaitingForFiles() && performance.now() < end) await pause(10)
  if (isWaitingForFiles()) {
    process.stderr.write('A folder does not answer; the process has ended without waiting for it.\n')
    process.kill(process.pid, 'SIGKILL')
  }
  process.exit(code)
}

function isWaitingForFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
}

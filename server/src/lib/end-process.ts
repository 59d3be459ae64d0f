import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds for operations on files that are under way. */
const PATIENCE = 1000

/**
 * Ends the process with this code. `process.exit` waits for all threads, and one that waits for a folder which does not answer, such as that of a network
 * disk that is away, does not end: then the program of the process is replaced by one that only exits with the code. SIGKILL would count as a failure for
 * systemd, and has no effect on the first process of a container.
 */
export async function endProcess(code: number): Promise<never> {
  if (await isHeldByFolder()) {
    process.stderr.write('A folder does not answer; the process has ended without waiting for it.\n')
    if (process.execve) process.execve(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {})
    process.kill(process.pid, 'SIGKILL')
  }
  process.exit(code)
}

/** Ends a process that has done its work and would go on waiting for a folder which does not answer. */
export async function endIfHeld(): Promise<void> {
  if (await isHeldByFolder()) await endProcess(Number(process.exitCode ?? 0))
}

async function isHeldByFolder(): Promise<boolean> {
  const end = performance.now() + PATIENCE
  while (isWaitingForFiles() && performance.now() < end) await pause(10)
  return isWaitingForFiles()
}

function isWaitingForFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
}

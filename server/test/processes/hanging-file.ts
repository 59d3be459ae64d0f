import { execFileSync, spawn } from 'node:child_process'

/**
 * Creates a pipe, which stands for a file on a disk that is away: who opens it for reading waits, and who writes waits when it has taken 64 kB. Returns
 * how to let the disk answer, and how to end that.
 */
export function createHangingFile(path: string): () => { end(): void } {
  execFileSync('mkfifo', [path])
  return () => {
    const reader = spawn('cat', [path], { stdio: 'ignore' })
    return { end: () => void reader.kill() }
  }
}

import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'

// Each write to it fails as on a full disk.
const FULL = '/dev/full'

/** Whether this machine has a file that is a full disk. */
export const hasFullDisk = existsSync(FULL)

/** Runs a program whose standard output is on a full disk, and expects its exit code. */
export async function expectExitOnFullDisk(code: string, exitCode: number): Promise<void> {
  const args = ['--input-type=module', '-e', code]
  const program = spawn(process.execPath, args, { stdio: ['ignore', openSync(FULL, 'w'), 'inherit'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  await expect.poll(() => program.exitCode).toBe(exitCode)
}

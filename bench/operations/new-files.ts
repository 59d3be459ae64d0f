import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const COUNT = 200
const CONTENT = 'x'.repeat(5000)

/**
 * Microseconds of CPU time that a new file in `folder` takes. A sign-in from an unknown browser writes one, its mail. Before ext4 takes an inode, it looks at
 * each that was deleted in the last minutes: after a clean-up, or another benchmark, a file takes up to ten times as long.
 */
export function timeOfNewFile(folder: string): number {
  const files = mkdtempSync(join(folder, 'new-files-'))
  const before = process.cpuUsage()
  for (let n = 0; n < COUNT; n += 1) writeFileSync(join(files, `${n}.eml`), CONTENT)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / COUNT
}

/** Prints the time before the measurements, and the present one. */
export function printTimeOfNewFile(before: number, folder: string): void {
  const after = timeOfNewFile(folder)
  console.log(`\nA new file takes ${before.toFixed(0)} µs of CPU time before, and ${after.toFixed(0)} after.`)
}

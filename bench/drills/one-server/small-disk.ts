import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { until } from '../../cluster/program.ts'

export const needsRoot = () => (userInfo().uid === 0 ? undefined : 'only root can mount a small disk')

/** A mounted disk of a few megabytes. */
export type SmallDisk = {
  folder: string
  /** Writes until nothing more fits. */
  fill(): void
  isFull(): boolean
  /** Removes what filled it; resolves with the seconds until the check is true. */
  freed(isWell: () => Promise<boolean>): Promise<number>
}

/** Mounts a disk of this size, such as `40m`, for the work. */
export async function onSmallDisk<T>(size: string, work: (disk: SmallDisk) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  const free = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  try {
    return await work({
      folder,
      fill() {
        try {
          appendFileSync(ballast, Buffer.alloc(free()))
        } catch {
          // The disk is full.
        }
      },
      isFull: () => free() === 0,
      async freed(isWell) {
        rmSync(ballast)
        const began = performance.now()
        await until('what was refused', isWell)
        return Math.round((performance.now() - began) / 100) / 10
      },
    })
  } finally {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

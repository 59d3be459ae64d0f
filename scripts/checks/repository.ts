import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run-command.ts'

/** The files that checks read; tests plant others. */
export interface Sources {
  /** Paths from the root. */
  files: string[]
  read(file: string): string
  /** Whether there is a file or folder of this path. */
  exists(path: string): boolean
}

/** All files of the repository but those that git ignores. */
export function repository(): Sources {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  const exists = (path: string) => existsSync(join(ROOT, path))
  // A file that is deleted but not yet committed is still listed.
  const files = listed.split('\0').filter((file) => file !== '' && exists(file))
  return { files, read: (file) => readFileSync(join(ROOT, file), 'utf8'), exists }
}

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Error codes of systems that flush no folder. */
const NO_FLUSH: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EACCES',
  'EISDIR',
  'EINVAL',
])

/**
 * Writes the names of the files in a folder to the disk. After a loss of power it could have the former ones, although the files themselves were
 * written. Does nothing where the system flushes no folder.
 */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(ignoreNoFlush)
  await handle
    ?.sync()
    .catch(ignoreNoFlush)
    .finally(() => handle.close())
}

/** The same at once. */
export function flushFolderSync(folder: string): void {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
  } catch (error) {
    ignoreNoFlush(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function ignoreNoFlush(error: unknown): undefined {
  if (!NO_FLUSH.has((error as NodeJS.ErrnoException).code ?? '')) throw error
}

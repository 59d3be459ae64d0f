import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Runs a program, the text of a module, in a process of Node.js alone, without Vitest; resolves with what it prints. With `fileBlocks`, no file may
 * become larger, as on a full disk; `handles` is the number of files that it may have open.
 */
export async function outputOf(
  program: string,
  { fileBlocks, handles }: { fileBlocks?: number; handles?: number } = {},
): Promise<string> {
  const limits = { f: fileBlocks, n: handles }
  const limit = Object.entries(limits)
    .flatMap(([flag, most]) => (most === undefined ? [] : `ulimit -${flag} ${most}; `))
    .join('')
  const command = `${limit}exec "$0" --input-type=module -e "$1"`
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, program])
  return stdout
}

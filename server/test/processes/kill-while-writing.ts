import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Pairs after which the process may be killed; a busy machine needs longer for them. */
const FIRST = 20

/** Kills a process that writes pairs of rows at a random time; resolves with the pairs that it printed as committed. */
export async function killWhileWriting(dataDir: string, round: number): Promise<string[]> {
  const writer = spawn(process.execPath, [join(import.meta.dirname, 'pair-writer.ts'), dataDir, String(round)])
  let stdout = ''
  writer.stdout.on('data', (chunk) => {
    stdout += String(chunk)
  })
  let stderr = ''
  writer.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  while (stdout.split('\n').length <= FIRST && writer.exitCode === null) await pause(5)
  await pause(Math.random() * 200)
  writer.kill('SIGKILL')
  await once(writer, 'close')
  if (stdout === '') throw new Error(stderr)
  return stdout.slice(0, stdout.lastIndexOf('\n')).split('\n')
}

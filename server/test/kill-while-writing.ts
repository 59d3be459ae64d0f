import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Lets another process write pairs of rows, kills it at a random moment, and answers the pairs that it reported as done. */
export async function killWhileWriting(dataDir: string, round: number): Promise<string[]> {
  const writer = spawn(process.execPath, [join(import.meta.dirname, 'pair-writer.ts'), dataDir, String(round)])
  let said = ''
  writer.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  let complaint = ''
  writer.stderr.on('data', (chunk) => {
    complaint += String(chunk)
  })
  await Promise.race([once(writer.stdout, 'data'), once(writer, 'exit')])
  await pause(100 + Math.random() * 200)
  writer.kill('SIGKILL')
  await once(writer, 'close')
  if (said === '') throw new Error(complaint)
  return said.slice(0, said.lastIndexOf('\n')).split('\n')
}

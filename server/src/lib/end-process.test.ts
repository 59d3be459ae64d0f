import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/databases/template-db.ts'
import { createHangingFile } from '../../test/processes/hanging-file.ts'
import { outputOf } from '../../test/processes/output-of.ts'

/** How a process ends that opens a file and asks to end with 3. */
async function endWhileOpening(file: string) {
  const program = `import { open } from 'node:fs'
    import { endProcess } from ${JSON.stringify(join(import.meta.dirname, 'end-process.ts'))}
    open(${JSON.stringify(file)}, 'r', () => {})
    await endProcess(3)`
  return await outputOf(program).catch(({ code, signal, stderr }) => ({ code, signal, stderr }))
}

test('a process ends with its code, and also while a folder does not answer', async () => {
  const { dataDir, remove } = await emptyDatabase()
  onTestFinished(remove)
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  expect(await endWhileOpening(file)).toEqual({ code: 3, signal: null, stderr: '' })
  const hanging = join(dataDir, 'hanging')
  createHangingFile(hanging)
  const stderr = 'A folder does not answer; the process has ended without waiting for it.\n'
  expect(await endWhileOpening(hanging)).toEqual({ code: 3, signal: null, stderr })
})

test('a command that has given a folder up ends with the code of what it found', async () => {
  const { dataDir, remove } = await emptyDatabase()
  onTestFinished(remove)
  const hanging = join(dataDir, 'hanging')
  createHangingFile(hanging)
  const program = `import { open } from 'node:fs'
    import { endIfHeld } from ${JSON.stringify(join(import.meta.dirname, 'end-process.ts'))}
    open(${JSON.stringify(hanging)}, 'r', () => {})
    console.log('wrong disk')
    process.exitCode = 1
    await endIfHeld()`
  await expect(outputOf(program)).rejects.toMatchObject({ code: 1, signal: null, stdout: 'wrong disk\n' })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { outputOf } from '../../../test/processes/output-of.ts'

// Its row is on the disk soon after: a loss of power would leave the row without its file.
test('a file is on the disk with its name when it is stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const done = []
    const { open, rename } = fs.promises
    fs.promises.rename = async (from, to) => {
      done.push('renamed to ' + to)
      await rename(from, to)
    }
    fs.promises.open = async (path, flags) => {
      const handle = await open(path, flags)
      const { sync } = handle
      handle.sync = async () => {
        done.push('flushed ' + path)
        await sync.call(handle)
      }
      return handle
    }
    syncBuiltinESMExports()
    const { diskFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'disk-files.ts'))})
    await diskFiles('${folder}').put('picture.webp', [Buffer.from('content')])
    console.log(done.join('; '))`
  expect((await outputOf(program)).trim().split('; ')).toEqual([
    `flushed ${join(folder, 'picture.webp.part')}`,
    `renamed to ${join(folder, 'picture.webp')}`,
    `flushed ${folder}`,
  ])
})

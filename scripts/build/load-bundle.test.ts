import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'vrata-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))
cpSync(join(import.meta.dirname, 'load-bundle.ts'), join(folder, 'load.ts'))

/** Loads `program.js` in a process of its own; what it has exported, and whether V8 took its functions from the cache. */
function start({ write = false } = {}): { said: string; cached: boolean } {
  const program = `import { hasUsedCache, load, writeCaches } from './load.ts'
    const said = load('program.js').say()
    ${write ? 'writeCaches()' : ''}
    console.log(JSON.stringify({ said, cached: hasUsedCache('program.js') }))`
  writeFileSync(join(folder, 'main.ts'), program)
  return JSON.parse(execFileSync(process.execPath, [join(folder, 'main.ts')], { encoding: 'utf8' }))
}

test('a script of the bundle starts with the cache that the build has written', () => {
  writeFileSync(join(folder, 'words.js'), "module.exports = 'old words'")
  writeFileSync(join(folder, 'program.js'), "exports.say = () => require('./words.js')")
  expect(start({ write: true })).toEqual({ said: 'old words', cached: false })
  expect(start()).toEqual({ said: 'old words', cached: true })
})

test('a changed script starts without its cache, also when the text is as long as before', () => {
  writeFileSync(join(folder, 'program.js'), "exports.say = () => 'a' || require('words.j')")
  start({ write: true })
  writeFileSync(join(folder, 'program.js'), "exports.say = () => 'b' || require('words.j')")
  expect(start()).toEqual({ said: 'b', cached: false })
})

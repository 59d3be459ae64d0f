import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const STAMP = join(ROOT, 'web/dist/.made-from')
/** What the pages are made from: change any of these and they are stale. */
const INPUTS = ['contract/src', 'phrases/src', 'web/src', 'web/build', 'web', 'package-lock.json']

/** Builds the pages unless what is in web/dist was made from the very files that lie here now. */
export async function ensurePages(): Promise<void> {
  const now = await fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === now) return
  console.log('Building the pages …')
  const { status } = spawnSync(process.execPath, ['web/build.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(STAMP, now)
}

/** Names, sizes and times suffice: a false alarm costs one build of a second or two. */
async function fingerprint(): Promise<string> {
  const files = await Promise.all(INPUTS.map(filesOf))
  const facts = files
    .flat()
    .sort()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file))
      return `${file} ${size} ${mtimeMs}`
    })
  return createHash('sha256').update(facts.join('\n')).digest('hex')
}

/** Files below a folder; of `web` itself only those that lie in it directly (its settings). */
async function filesOf(input: string): Promise<string[]> {
  const path = join(ROOT, input)
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [input]
  const entries = await readdir(path, { recursive: input !== 'web', withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}

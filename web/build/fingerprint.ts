import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Sources of the pages. The lockfile represents all packages. */
const SOURCES = [
  'web/{src,build}/**',
  'web/*.{ts,json}',
  'sign-in/src/**',
  'phrases/src/**',
  'contract/src/**',
  'docs/{developers,reference}/*.md',
  'package-lock.json',
]

/** Changes when a source of the pages changes. */
export function fingerprint(web: string): Promise<string> {
  return fingerprintOf(join(web, '..'), SOURCES)
}

/** Hash of names, sizes and modification times of the files that match. */
export async function fingerprintOf(root: string, patterns: string[]): Promise<string> {
  const files = globSync(patterns, { cwd: root }).sort()
  const hash = createHash('sha256')
  for (const file of files) {
    const { size, mtimeMs } = await stat(join(root, file))
    if (!file.includes('.test.')) hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

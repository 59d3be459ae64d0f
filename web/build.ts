import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { compressFolder } from './build/compress.ts'
import { planPages } from './build/plan.ts'
import { fingerprint } from './build/stamp.ts'

const web = import.meta.dirname
const dist = join(web, 'dist')

/**
 * Builds the pages: the browser's files, every public page as HTML in three languages, and compressed copies. Does
 * nothing when nothing has changed since the last time. Answers whether it built.
 */
export async function buildPages({ force = false } = {}): Promise<boolean> {
  const stamp = join(dist, 'stamp')
  const now = await fingerprint(web)
  if (!force && (await readFile(stamp, 'utf8').catch(() => '')) === now) return false

  await rm(dist, { recursive: true, force: true })
  await mkdir(dist, { recursive: true })
  const configFile = join(web, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn' })
  await build({ configFile, logLevel: 'warn', build: { ssr: true } })
  const { renderPages } = await import(pathToFileURL(join(dist, 'prerender/prerender.js')).href)
  await writeFile(join(dist, 'pages.json'), JSON.stringify(await planPages(dist, await renderPages())))
  await rm(join(dist, 'prerender'), { recursive: true })
  await compressFolder(join(dist, 'client/assets'))
  await writeFile(stamp, now)
  return true
}

if (import.meta.main) {
  const began = performance.now()
  const built = await buildPages({ force: process.argv.includes('--force') })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(built ? `The pages are built (${seconds} s).` : 'The pages are up to date.')
}

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PagePlan, PlannedPage } from '@vrata/contract'
import { build } from 'vite'
import { compressFolder } from './build/compress.ts'
import { fingerprint } from './build/fingerprint.ts'
import { planPages } from './build/page-plan.ts'

const web = import.meta.dirname
const dist = join(web, 'dist')

/**
 * Builds browser files, every public page as HTML in each language, compressed copies, and the modules with which the server
 * renders pages of signed-in users. Does nothing when no source
 * has changed. Returns whether it built.
 */
async function buildPages({ force = false } = {}): Promise<boolean> {
  const stamp = join(dist, 'stamp')
  const now = await fingerprint(web)
  if (!force && (await readFile(stamp, 'utf8').catch(() => '')) === now) return false

  // Built beside and renamed at the end, so that concurrent readers never see a partial build.
  const fresh = join(web, `.cache/dist/${process.pid}`)
  const configFile = join(web, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn', build: { outDir: join(fresh, 'client') } })
  await build({ configFile, logLevel: 'warn', build: { outDir: join(fresh, 'server'), ssr: true } })
  const { renderPages } = await import(pathToFileURL(join(fresh, 'server/prerender.js')).href)
  await writePlan(fresh, await planPages(fresh, await renderPages()))
  await buildSignIn(join(fresh, 'client'))
  await compressFolder(join(fresh, 'client/assets'))
  await compressFolder(join(fresh, 'client'))
  await writeFile(join(fresh, 'stamp'), now)
  await moveIn(fresh)
  return true
}

/** Writes the plan, and the content of each page into a file of its own. */
async function writePlan(dist: string, plan: PagePlan) {
  await mkdir(join(dist, 'pages'))
  const apart = async (page: PlannedPage, name: number | string): Promise<PlannedPage> => {
    const file = `pages/${name}.json`
    await writeFile(join(dist, file), JSON.stringify(page.html))
    return { ...page, html: { 'en-US': '', 'sl-SI': '', 'hr-HR': '' }, file }
  }
  const pages = await Promise.all(plan.pages.map(apart))
  const missing = await apart(plan.missing, 'missing')
  await writeFile(join(dist, 'pages.json'), JSON.stringify({ ...plan, pages, missing }))
}

/** The script for third-party pages (`@vrata/sign-in`), at a stable address. */
async function buildSignIn(outDir: string) {
  const entry = join(web, '../sign-in/src/index.ts')
  const lib = { entry, formats: ['es' as const], fileName: 'sign-in' }
  await build({ configFile: false, publicDir: false, logLevel: 'warn', build: { lib, outDir, emptyOutDir: false } })
}

async function moveIn(fresh: string) {
  const old = `${fresh}-old`
  await rename(dist, old).catch(() => undefined)
  // A concurrent build was renamed first; its result is the same.
  await rename(fresh, dist).catch(() => rm(fresh, { recursive: true }))
  await rm(old, { recursive: true, force: true })
}

if (import.meta.main) {
  const began = performance.now()
  const built = await buildPages({ force: process.argv.includes('--force') })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(built ? `The pages are built (${seconds} s).` : 'The pages are up to date.')
}

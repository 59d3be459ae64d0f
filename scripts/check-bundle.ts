import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LOCALES, type PagePlan, type PlannedPage } from '@vrata/contract'
import { documentWriter } from '../server/src/edge/document.ts'

const DIST = join(import.meta.dirname, '../web/dist')

/** What `/login` may weigh after brotli, in bytes (frontend.md §7). */
export const BUDGET = { script: 115 * 1024, style: 10 * 1024, document: 14 * 1024 }
export type Weight = typeof BUDGET

/** Weighs a page as a first visitor gets it: every script it preloads, its stylesheet, and the whole document. */
export async function weigh(plan: PagePlan, page: PlannedPage, locale: (typeof LOCALES)[number]): Promise<Weight> {
  const scripts = new Set([plan.entry, ...page.scripts[locale]])
  const sizes = await Promise.all(
    [...scripts].map(async (file) => (await stat(join(DIST, 'client', `${file}.br`))).size),
  )
  const html = documentWriter(plan)(page, locale, { locale, api_base: '', user: null, refresh: false })
  return {
    script: sizes.reduce((sum, size) => sum + size, 0),
    style: brotliCompressSync(plan.css).length,
    document: brotliCompressSync(html).length,
  }
}

async function main() {
  const plan: PagePlan = JSON.parse(await readFile(join(DIST, 'pages.json'), 'utf8'))
  const login = plan.pages.find(({ role }) => role === 'login')
  if (!login) throw new Error('The plan has no login page')
  let tooHeavy = false
  for (const locale of LOCALES) {
    const weight = await weigh(plan, login, locale)
    for (const part of ['script', 'style', 'document'] as const) {
      const over = weight[part] > BUDGET[part]
      tooHeavy ||= over
      const [is, may] = [weight[part], BUDGET[part]].map((bytes) => (bytes / 1024).toFixed(1))
      console.log(`/login ${locale} ${part}: ${is} KB of ${may} KB${over ? ' - too heavy' : ''}`)
    }
  }
  if (tooHeavy) process.exitCode = 1
}

if (import.meta.main) await main()

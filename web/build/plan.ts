import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import type { Manifest } from 'vite'
import type { Page, Rendered } from '../src/prerender.tsx'

/**
 * The chosen theme before the first paint, and a visible failure when a script does not arrive. Everything that may be
 * inline is in here, because the policy allows it by its hash.
 */
const EARLY =
  'try{const t=localStorage.theme;if(/^(dark|light)$/.test(t))document.documentElement.dataset.theme=t}catch{}' +
  "addEventListener('error',e=>{if(e.target.tagName==='SCRIPT')document.documentElement.dataset.failed=''},true)"

/** Joins what was rendered with what was bundled. */
export async function planPages(dist: string, rendered: Rendered): Promise<PagePlan> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, 'client/.vite/manifest.json'), 'utf8'))
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('the bundle has no entry')
  const sheets = await Promise.all((entry.css ?? []).map((file) => readFile(join(dist, 'client', file), 'utf8')))
  // Both alphabets' letters are in one family, but most pages in English never ask for the second file.
  const fonts = Object.values(manifest).flatMap(({ file }) => (/latin.*\.woff2$/.test(file) ? [`/${file}`] : []))
  const planned = (page: Page): PlannedPage => {
    const { phrases: _, files: __, path, ...rest } = page
    return { ...rest, pattern: patternOf(path), scripts: scriptsOf(manifest, page) }
  }
  return {
    pages: rendered.pages.map(planned),
    missing: planned(rendered.missing),
    frame: rendered.frame,
    css: sheets.join('').trim(),
    early: EARLY,
    entry: `/${entry.file}`,
    fonts,
  }
}

/** `/developers/{-$developerId}/x/$clientId` as a regular expression; more exact paths come first in the plan. */
export function patternOf(path: string): string {
  const pattern = path
    .replace(/[.+*?^()|[\]\\]/g, '\\$&')
    .replace(/\/\{-\$(\w+)\}/g, '(?:/(?<$1>[^/]+))?')
    .replace(/\$(\w+)(?!>)/g, (whole, name: string, at: number, all: string) =>
      all[at - 1] === '/' ? `(?<${name}>[^/]+)` : whole,
    )
  return `^${pattern}/?$`
}

function scriptsOf(manifest: Manifest, page: Page): Record<Locale, string[]> {
  const scripts = {} as Record<Locale, string[]>
  for (const locale of LOCALES) {
    const files = new Set<string>()
    const visit = (key: string) => {
      const chunk = manifest[key]
      if (!chunk || files.has(`/${chunk.file}`)) return
      files.add(`/${chunk.file}`)
      chunk.imports?.forEach(visit)
    }
    const words = page.phrases.map((slice) => `../phrases/src/${locale}/${slice}.ts`)
    for (const key of ['src/main.tsx', ...page.files, ...words]) visit(key)
    scripts[locale] = [...files]
  }
  return scripts
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import type { Manifest } from 'vite'
import type { Page, Rendered } from '../src/prerender.tsx'

/**
 * Sets the chosen theme before the first paint and shows a message when a script fails to load. It is the only inline
 * script; the policy allows it by its hash.
 */
export const EARLY_SCRIPT =
  'try{const t=localStorage.theme;if(/^(dark|light)$/.test(t))document.documentElement.dataset.theme=t}catch{}' +
  "addEventListener('error',e=>{if(e.target.tagName==='SCRIPT')document.documentElement.dataset.failed=''},true)"

/** Joins rendered pages with the manifest of the bundle. */
export async function planPages(dist: string, rendered: Rendered): Promise<PagePlan> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, 'client/.vite/manifest.json'), 'utf8'))
  rejectCycles(manifest)
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('the bundle has no entry')
  const sheets = await Promise.all((entry.css ?? []).map((file) => readFile(join(dist, 'client', file), 'utf8')))
  const fontsOf = (name: RegExp) =>
    (entry.assets ?? []).filter((file) => file.endsWith('.woff2') && name.test(file)).map((file) => `/${file}`)
  const planned = (page: Page): PlannedPage => {
    const { phrases: _, files: __, path, ...rest } = page
    return { ...rest, pattern: patternOf(path), scripts: scriptsOf(manifest, page) }
  }
  return {
    pages: rendered.pages.map(planned),
    missing: planned(rendered.missing),
    frame: rendered.frame,
    css: sheets.join('').trim(),
    early: EARLY_SCRIPT,
    entry: `/${entry.file}`,
    fonts: { 'en-US': fontsOf(/latin/), 'sl-SI': fontsOf(/./), 'hr-HR': fontsOf(/./) },
  }
}

/** Converts a path such as `/developers/{-$developerId}/x/$clientId` into a regular expression. */
export function patternOf(path: string): string {
  if (path === '/') return '^/$'
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => {
      const optional = /^\{-\$(\w+)\}$/.exec(segment)?.[1]
      if (optional) return `(?:/(?<${optional}>[^/]+))?`
      return segment.startsWith('$') ? `/(?<${segment.slice(1)}>[^/]+)` : `/${segment}`
    })
  return `^${segments.join('')}/?$`
}

function scriptsOf(manifest: Manifest, page: Page): Record<Locale, string[]> {
  return Object.fromEntries(LOCALES.map((locale) => [locale, scriptsIn(manifest, page, locale)])) as Record<
    Locale,
    string[]
  >
}

function scriptsIn(manifest: Manifest, page: Page, locale: Locale): string[] {
  const files = new Set<string>()
  function visit(key: string) {
    const chunk = manifest[key]
    if (!chunk || files.has(`/${chunk.file}`)) return
    files.add(`/${chunk.file}`)
    chunk.imports?.forEach(visit)
  }
  const unknown = page.files.find((file) => !manifest[file])
  if (unknown) throw new Error(`${page.path} is made of ${unknown}, which the bundle does not have`)
  // Phrases of every page are one chunk per language, named after it (`vite.config.ts`).
  const shared = Object.keys(manifest).filter((key) => manifest[key]?.name === locale)
  const own = page.phrases.map((slice) => `../phrases/src/${locale}/${slice}.ts`)
  for (const key of ['src/main.tsx', ...page.files, ...shared, ...own]) visit(key)
  return [...files]
}

/** Rejects chunks that import each other: such a bundle builds, but may fail to start. */
export function rejectCycles(manifest: Manifest): void {
  const done = new Set<string>()
  function visit(key: string, above: string[]) {
    if (above.includes(key)) throw new Error(`Built files wait for each other: ${[...above, key].join(' → ')}`)
    if (done.has(key)) return
    for (const next of manifest[key]?.imports ?? []) visit(next, [...above, key])
    done.add(key)
  }
  for (const key of Object.keys(manifest)) visit(key, [])
}

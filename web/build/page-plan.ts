import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import type { Manifest } from 'vite'
import type { Page, Rendered } from '../src/prerender.tsx'
import { earlyScript } from './early-script.ts'

/** Joins rendered pages with the manifest of the bundle. */
export async function planPages(dist: string, rendered: Rendered): Promise<PagePlan> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, 'client/.vite/manifest.json'), 'utf8'))
  rejectCycles(manifest)
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('the bundle has no entry')
  const sheet = manifest['style.css']
  if (!sheet) throw new Error('the bundle has no style sheet')
  const css = await readFile(join(dist, 'client', sheet.file), 'utf8')
  const fontsOf = (name: RegExp) =>
    (entry.assets ?? []).filter((file) => file.endsWith('.woff2') && name.test(file)).map((file) => `/${file}`)
  const planned = (page: Page): PlannedPage => {
    const { phrases: _, files: __, path, ...rest } = page
    return { ...rest, pattern: patternOf(path), ...scriptsOf(manifest, page) }
  }
  return {
    pages: rendered.pages.map(planned),
    missing: planned(rendered.missing),
    frame: rendered.frame,
    css: css.trim(),
    early: await earlyScript(),
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

function scriptsOf(manifest: Manifest, page: Page): Pick<PlannedPage, 'scripts' | 'phrases'> {
  const plan = { scripts: {}, phrases: {} } as Pick<PlannedPage, 'scripts' | 'phrases'>
  for (const locale of LOCALES) {
    const files = new Set<string>()
    codeOf(manifest, page, locale, files)
    plan.scripts[locale] = [...files]
    for (const name of page.phrases) addFiles(manifest, `../phrases/src/${locale}/${name}.ts`, files)
    plan.phrases[locale] = [...files].slice(plan.scripts[locale].length)
  }
  return plan
}

function codeOf(manifest: Manifest, page: Page, locale: Locale, files: Set<string>): void {
  // The shells are parts of groups (`vite.config.ts`).
  const groupOf = (shell: string) => (shell === 'src/shell/public-shell.tsx' ? 'public-pages' : 'signed-in')
  const chunkOf = (name: string) => Object.keys(manifest).find((key) => manifest[key]?.name === name)
  const isInGroup = (file: string) => !manifest[file] && file.startsWith('src/shell/')
  const parts = page.files.map((file) => (isInGroup(file) && chunkOf(groupOf(file))) || file)
  const unknown = parts.find((file) => !manifest[file])
  if (unknown) throw new Error(`${page.path} is made of ${unknown}, which the bundle does not have`)
  // Phrases of every page are one chunk per language, named after it (`vite.config.ts`).
  const shared = Object.keys(manifest).filter((key) => manifest[key]?.name === locale)
  for (const key of ['src/main.tsx', ...parts, ...shared]) addFiles(manifest, key, files)
}

/** Adds the file of a chunk, and those of the chunks that it imports. */
function addFiles(manifest: Manifest, key: string, files: Set<string>): void {
  const chunk = manifest[key]
  if (!chunk || files.has(`/${chunk.file}`)) return
  files.add(`/${chunk.file}`)
  for (const next of chunk.imports ?? []) addFiles(manifest, next, files)
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

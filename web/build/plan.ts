import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCALES, type Locale } from '@vrata/contract'
import type { Manifest } from 'vite'
import type { Frame, Page } from '../src/prerender.tsx'

/** All that the server must know to deliver pages; written to `dist/pages.json`. */
export type Plan = {
  pages: PlannedPage[]
  missing: PlannedPage
  frame: Frame
  /** The stylesheet, to be inlined. */
  css: string
  /** The script that is to be run, and what of it every page loads. */
  entry: string
  fonts: string[]
}

export type PlannedPage = Omit<Page, 'phrases' | 'files'> & {
  /** Regular expression of the path; its named groups are the parameters. */
  pattern: string
  /** Scripts to preload, by language: those of the page, its shell and its words. */
  scripts: Record<Locale, string[]>
}

/** Joins what was rendered with what was bundled. */
export async function planPages(dist: string, rendered: { pages: Page[]; missing: Page; frame: Frame }): Promise<Plan> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, 'client/.vite/manifest.json'), 'utf8'))
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('the bundle has no entry')
  const sheets = await Promise.all((entry.css ?? []).map((file) => readFile(join(dist, 'client', file), 'utf8')))
  // Both alphabets' letters are in one family, but most pages in English never ask for the second file.
  const fonts = Object.values(manifest).flatMap(({ file }) => (/latin.*\.woff2$/.test(file) ? [`/${file}`] : []))
  const planned = (page: Page): PlannedPage => {
    const { phrases: _, files: __, ...rest } = page
    return { ...rest, pattern: patternOf(page.path), scripts: scriptsOf(manifest, page) }
  }
  return {
    pages: rendered.pages.map(planned),
    missing: planned(rendered.missing),
    frame: rendered.frame,
    css: sheets.join(''),
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

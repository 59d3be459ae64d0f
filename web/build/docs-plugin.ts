import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import type { Contents, Sections } from '../src/features/docs/tree.ts'
import { type ParsedPage, plain, readDocPage } from './docs-tree.ts'

const FILE = /[\\/]docs[\\/](?:developers|reference)[\\/][\w-]+\.md(\?\w+)?$/
const DOCS = join(import.meta.dirname, '../../docs')

/**
 * Imports Markdown of `docs/developers` and `docs/reference` as data for /developers/docs: each file as a page, and of
 * `README.md` also `?contents` and `?sections`. A broken link, an unlisted page or an unsupported element stops the
 * build.
 */
export function docs(): Plugin {
  return {
    name: 'vrata:docs',
    enforce: 'pre',
    async load(id) {
      const what = FILE.exec(id)
      if (!what) return null
      const library = await readDocs()
      for (const file of library.files.values()) this.addWatchFile(file)
      const [name, value] = exported(library, pageOf(id.replace(/\?.*$/, '')), what[1])
      return { code: `export const ${name} = ${JSON.stringify(value)}`, moduleType: 'js', map: null }
    },
  }
}

type Docs = { files: Map<string, string>; guides: Map<string, ParsedPage>; contents: Contents }

function exported({ guides, contents }: Docs, page: string, what: string | undefined): [string, unknown] {
  if (what === '?contents') return ['contents', contents]
  if (what === '?sections') return ['sections', sectionsOf(guides)]
  const { title, blocks } = guides.get(page) as ParsedPage
  return ['guide', { title, blocks }]
}

/** Reads all pages. The contents page has an empty name. */
export async function readDocs(docs = DOCS): Promise<Docs> {
  const files = new Map(globSync('{developers,reference}/*.md', { cwd: docs }).map((f) => [pageOf(f), join(docs, f)]))
  const guides = new Map<string, ParsedPage>()
  const links: { from: string; to: string; anchor: string }[] = []
  for (const [page, file] of files) {
    guides.set(
      page,
      readPage(file, await readFile(file, 'utf8'), (to, anchor) => links.push({ from: page, to, anchor })),
    )
  }
  for (const { from, to, anchor } of links) {
    if (!guides.get(to)?.anchors.has(anchor))
      throw new Error(`${from}.md has a link that leads nowhere: ${to}#${anchor}`)
  }
  const contents = contentsOf(guides.get('') as ParsedPage)
  const listed = new Set(contents.flatMap(({ pages }) => pages.map(({ page }) => page)))
  const forgotten = [...guides.keys()].filter((page) => page && !listed.has(page))
  if (forgotten.length) throw new Error(`docs/developers/README.md forgets ${forgotten.join(', ')}`)
  return { files, guides, contents }
}

function readPage(file: string, text: string, note: (page: string, anchor: string) => void): ParsedPage {
  try {
    return readDocPage(text, (href) => {
      if (/^https:\/\/|^\/(?!\/)/.test(href)) return href
      const [path = '', anchor = ''] = href.split('#')
      const target = path ? join(dirname(file), path) : file
      if (!existsSync(target)) throw new Error(`a link leads nowhere: ${href}`)
      note(pageOf(target), anchor)
      return `/developers/docs${pageOf(target) && `/${pageOf(target)}`}${anchor && `#${anchor}`}`
    })
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}

const pageOf = (file: string) => basename(file, '.md').replace('README', '')

/** The contents page has headings, each with a list of links: "[Title](file.md): description". */
function contentsOf({ blocks }: ParsedPage): Contents {
  const contents: Contents = []
  for (const block of blocks) {
    if (block[0] === 'h') contents.push({ title: plain(block[3]), pages: [] })
    if (block[0] !== 'ul') continue
    for (const [item] of block[1]) {
      const [link, ...rest] = item?.[0] === 'p' ? item[1] : []
      if (!Array.isArray(link) || link[0] !== 'a') continue
      const page = link[1].slice('/developers/docs/'.length)
      contents.at(-1)?.pages.push({ page, title: plain(link[2]), text: plain(rest).replace(/^: /, '') })
    }
  }
  return contents
}

function sectionsOf(guides: Docs['guides']): Sections {
  return [...guides].flatMap(([page, { sections }]) =>
    page
      ? sections.map(({ anchor, heading, text, code }): Sections[number] => [
          page,
          anchor,
          heading,
          (text + code).trim(),
        ])
      : [],
  )
}

import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import type { Contents, Sections } from '../src/features/guide/tree.ts'
import { plain, type ReadGuide, readGuide } from './guide-tree.ts'

const FILE = /[\\/]docs[\\/](?:developers|reference)[\\/][\w-]+\.md(\?\w+)?$/
const DOCS = join(import.meta.dirname, '../../docs')

/**
 * Gives the pages at /developers/docs the Markdown of `docs/developers` and `docs/reference`: each file as data to
 * draw, and of the contents (`README.md`), `?contents` and `?sections`. A link that leads nowhere, a page that the
 * contents forget, or anything that cannot be drawn stops the build.
 */
export function guide(): Plugin {
  return {
    name: 'vrata:guide',
    enforce: 'pre',
    async load(id) {
      const what = FILE.exec(id)
      if (!what) return null
      const library = await readLibrary()
      for (const file of library.files.values()) this.addWatchFile(file)
      const [name, value] = exported(library, pageOf(id.replace(/\?.*$/, '')), what[1])
      return { code: `export const ${name} = ${JSON.stringify(value)}`, moduleType: 'js', map: null }
    },
  }
}

type Library = { files: Map<string, string>; guides: Map<string, ReadGuide>; contents: Contents }

function exported({ guides, contents }: Library, page: string, what: string | undefined): [string, unknown] {
  if (what === '?contents') return ['contents', contents]
  if (what === '?sections') return ['sections', sectionsOf(guides)]
  const { title, blocks } = guides.get(page) as ReadGuide
  return ['guide', { title, blocks }]
}

/** Reads all pages; the contents are the page without a name. */
export async function readLibrary(docs = DOCS): Promise<Library> {
  const files = new Map(globSync('{developers,reference}/*.md', { cwd: docs }).map((f) => [pageOf(f), join(docs, f)]))
  const guides = new Map<string, ReadGuide>()
  const links: { from: string; to: string; anchor: string }[] = []
  for (const [page, file] of files) {
    guides.set(
      page,
      readOne(file, await readFile(file, 'utf8'), (to, anchor) => links.push({ from: page, to, anchor })),
    )
  }
  for (const { from, to, anchor } of links) {
    if (!guides.get(to)?.anchors.has(anchor))
      throw new Error(`${from}.md has a link that leads nowhere: ${to}#${anchor}`)
  }
  const contents = contentsOf(guides.get('') as ReadGuide)
  const listed = new Set(contents.flatMap(({ pages }) => pages.map(({ page }) => page)))
  const forgotten = [...guides.keys()].filter((page) => page && !listed.has(page))
  if (forgotten.length) throw new Error(`docs/developers/README.md forgets ${forgotten.join(', ')}`)
  return { files, guides, contents }
}

function readOne(file: string, text: string, note: (page: string, anchor: string) => void): ReadGuide {
  try {
    return readGuide(text, (href) => {
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

/** The contents page is headings with a list of links below each: "[Title](file.md): what it is about". */
function contentsOf({ blocks }: ReadGuide): Contents {
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

function sectionsOf(guides: Library['guides']): Sections {
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

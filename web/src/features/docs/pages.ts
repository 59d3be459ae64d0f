import type { Contents, DocPage, Sections } from './tree.ts'

// Generated from Markdown by `build/docs-plugin.ts`; each page is its own chunk.
const FILES = import.meta.glob<DocPage>('../../../../docs/{developers,reference}/*.md', { import: 'guide' })
const [CONTENTS = []] = Object.values(
  import.meta.glob<Contents>('../../../../docs/developers/README.md', {
    eager: true,
    query: '?contents',
    import: 'contents',
  }),
)

export const contents: Contents = CONTENTS
/** All pages in reading order. */
export const docPages = CONTENTS.flatMap(({ pages }) => pages)

const loaded = new Map<string, DocPage>()

/** Loads a page before it renders; {@link loadedDocPage} then returns it synchronously. */
export async function preloadDocPage(page = ''): Promise<void> {
  const file = fileOf(page)
  const load = file && FILES[file]
  if (load && !loaded.has(page)) loaded.set(page, await load())
}

/** Undefined for an unknown page. The contents page has an empty name. */
export function loadedDocPage(page = ''): DocPage | undefined {
  return loaded.get(page)
}

/** Every page, for the prerender. */
export function allDocPages() {
  return [{ page: '', title: '' }, ...docPages].map(({ page, title }) => ({
    page,
    title,
    file: fileOf(page)?.replace('../../../../', '../'),
  }))
}

function fileOf(page: string): string | undefined {
  return Object.keys(FILES).find((file) => file.endsWith(`/${page || 'README'}.md`))
}

/** Search index, loaded when the search is focused. */
export async function loadSections(): Promise<Sections> {
  const [load] = Object.values(
    import.meta.glob<Sections>('../../../../docs/developers/README.md', { query: '?sections', import: 'sections' }),
  )
  return (await load?.()) ?? []
}

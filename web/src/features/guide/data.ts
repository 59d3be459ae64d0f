import type { Contents, Guide, Sections } from './tree.ts'

// Made of Markdown by `build/guide-plugin.ts`; each page is a file of its own.
const FILES = import.meta.glob<Guide>('../../../../docs/{developers,reference}/*.md', { import: 'guide' })
const [CONTENTS = []] = Object.values(
  import.meta.glob<Contents>('../../../../docs/developers/README.md', {
    eager: true,
    query: '?contents',
    import: 'contents',
  }),
)

export const contents: Contents = CONTENTS
/** All pages in reading order. */
export const guides = CONTENTS.flatMap(({ pages }) => pages)

const loaded = new Map<string, Guide>()

/** Fetches a page, for the loader; the page then reads it with {@link guideOf} without waiting. */
export async function loadGuide(page = ''): Promise<void> {
  const file = fileOf(page)
  const load = file && FILES[file]
  if (load && !loaded.has(page)) loaded.set(page, await load())
}

/** Undefined when there is no page of this name. The contents are the page without one. */
export function guideOf(page = ''): Guide | undefined {
  return loaded.get(page)
}

/** Every page, for the build, which renders each as HTML of its own. */
export function everyGuide() {
  return [{ page: '', title: '' }, ...guides].map(({ page, title }) => ({
    page,
    title,
    file: fileOf(page)?.replace('../../../../', '../'),
  }))
}

function fileOf(page: string): string | undefined {
  return Object.keys(FILES).find((file) => file.endsWith(`/${page || 'README'}.md`))
}

/** The index of the search: fetched by whoever begins to search. */
export async function loadSections(): Promise<Sections> {
  const [load] = Object.values(
    import.meta.glob<Sections>('../../../../docs/developers/README.md', { query: '?sections', import: 'sections' }),
  )
  return (await load?.()) ?? []
}

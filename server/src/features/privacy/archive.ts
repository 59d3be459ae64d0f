import type { Locale, privacy } from '@vrata/contract'
import type { Files } from '../../adapters/media/files.ts'
import { zipOf } from '../../adapters/zip.ts'
import type { ReadDb } from '../../db/open.ts'
import { type ArchiveSection, archivePage } from './archive-page.ts'
import type { Exporters } from './exporters.ts'

/** Rows of a part on the index page; the JSON file has all of them. */
const MAX_ROWS_ON_PAGE = 500

export interface ArchiveContent {
  user_id: string
  locale: Locale
  /** Name of the installation, if it has one. */
  name: string | null
  parts: readonly privacy.ArchivePart[]
  /** Pictures of the account: name in the archive → stored file. */
  pictures: ReadonlyMap<string, string>
  made_at: Date
}

/** Streams a ZIP with a JSON file for each part, the pictures and an index page (api §3.9). */
export function createArchive(
  db: ReadDb,
  media: Files,
  parts: Exporters,
  content: ArchiveContent,
): AsyncIterable<Uint8Array> {
  const shown: ArchiveSection[] = []
  return zipOf(
    [
      ...content.parts.map((part) => ({ name: `${part}.json`, content: () => json(part) })),
      ...[...content.pictures].map(([name, file]) => ({ name, content: () => picture(file) })),
      // Last, because it shows rows that the JSON files have read.
      { name: 'index.html', content: page },
    ],
    content.made_at,
  )

  async function* json(part: privacy.ArchivePart): AsyncGenerator<string> {
    const rows: object[] = []
    let count = 0
    yield '['
    for await (const row of parts[part](db, content.user_id)) {
      yield `${count === 0 ? '' : ','}\n${JSON.stringify(row, null, 2)}`
      count += 1
      if (rows.length < MAX_ROWS_ON_PAGE) rows.push(row)
    }
    yield '\n]\n'
    shown.push({ part, rows, count })
  }

  async function* picture(file: string): AsyncGenerator<Uint8Array> {
    const found = await media.open(file)
    if (found) yield* found.body
  }
  async function* page(): AsyncGenerator<string> {
    yield archivePage(content, shown)
  }
}

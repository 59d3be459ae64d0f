import type { Locale, privacy } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import type { Files } from '../../ports/media/media.ts'
import { zipOf } from '../../ports/zip.ts'
import { indexPage, type Shown } from './index-page.ts'
import type { Parts } from './parts.ts'

/** Rows of a part that its readable page shows; all of them stand in the JSON file. */
const SHOWN = 500

export interface Content {
  user_id: string
  locale: Locale
  parts: readonly privacy.ArchivePart[]
  /** Pictures of the account: name in the archive → the file of ours. */
  pictures: ReadonlyMap<string, string>
  made_at: Date
}

/** A ZIP as it comes into being: a JSON file per part, the pictures, and a page that says all of it in words. */
export function archiveOf(db: ReadDb, media: Files, parts: Parts, content: Content): AsyncIterable<Uint8Array> {
  const shown: Shown[] = []
  return zipOf(
    [
      ...content.parts.map((part) => ({ name: `${part}.json`, content: () => json(part) })),
      ...[...content.pictures].map(([name, file]) => ({ name, content: () => picture(file) })),
      // Last, because by then the others have been read.
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
      if (rows.length < SHOWN) rows.push(row)
    }
    yield '\n]\n'
    shown.push({ part, rows, count })
  }

  async function* picture(file: string): AsyncGenerator<Uint8Array> {
    const found = await media.open(file)
    if (found) yield* found.body
  }
  async function* page(): AsyncGenerator<string> {
    yield indexPage(content, shown)
  }
}

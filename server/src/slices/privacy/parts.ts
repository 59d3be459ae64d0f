import type { privacy } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'

/** What one slice tells an archive about somebody, row by row, so that nobody's years have to fit into memory. */
export type Part = (db: ReadDb, user_id: string) => AsyncIterable<object>

/** Bound in `app.ts`: a part without its slice does not compile. */
export type Parts = Record<privacy.ArchivePart, Part>

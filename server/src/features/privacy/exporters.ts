import type { privacy } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'

/** Yields the rows of one feature about a user, so that an archive need not fit into memory. */
export type Exporter = (db: ReadDb, user_id: string) => AsyncIterable<object>

/** One exporter for each part of an archive, bound in `app.ts`. */
export type Exporters = Record<privacy.ArchivePart, Exporter>

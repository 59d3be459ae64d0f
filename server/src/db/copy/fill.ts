import { fillPostgres } from './fill-postgres.ts'
import { fillSqlite } from './fill-sqlite.ts'
import type { DatabaseLocation } from './snapshot.ts'
import type { FillOptions, Target } from './target.ts'

/**
 * Fills an empty database in one step: it has everything when this resolves, and is as before when `work` throws or the
 * process is killed. Throws `NotEmpty` when the database has a table, and `OutcomeUnknown` when PostgreSQL was lost at the end.
 */
export async function fillDatabase<T>(
  { url, dataDir }: DatabaseLocation,
  work: (target: Target) => Promise<T>,
  options: FillOptions = {},
): Promise<T> {
  return url === undefined ? await fillSqlite(dataDir, work) : await fillPostgres(url, work, options)
}

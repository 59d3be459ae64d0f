import type { Db, ReadDb } from '../../db/open.ts'
import type { PicturesTable } from '../../db/schema.ts'

export async function insertPicture(db: Db, row: PicturesTable): Promise<void> {
  await db.insertInto('pictures').values(row).execute()
}

/** Counts the uploads of the user since then, used or not. */
export async function countPictures(db: ReadDb, user_id: string, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('pictures')
    .select((e) => e.fn.countAll().as('count'))
    .where('user_id', '=', user_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** SHA-256 of the sent picture; undefined where it is unknown. */
export async function findSourceHash(db: ReadDb, file: string): Promise<string | undefined> {
  const row = await db.selectFrom('pictures').select('source_hash').where('file', '=', file).executeTakeFirst()
  return row?.source_hash ?? undefined
}

/** Returns false when the picture was deleted as unused meanwhile. */
export async function updateKeptAt(db: Db, file: string, now: string): Promise<boolean> {
  const result = await db.updateTable('pictures').set({ kept_at: now }).where('file', '=', file).executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function updateDroppedAt(db: Db, file: string, now: string): Promise<void> {
  await db.updateTable('pictures').set({ dropped_at: now }).where('file', '=', file).execute()
}

/** Unused pictures that no longer count toward the hourly limit: uploaded or replaced before then. */
export async function listUnusedPictures(db: ReadDb, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('file')
    .where((e) =>
      e.or([
        e.and([e('kept_at', 'is', null), e('created_at', '<', before)]),
        e.and([e('dropped_at', 'is not', null), e('dropped_at', '<', before)]),
      ]),
    )
    .limit(limit)
    .execute()
  return rows.map(({ file }) => file)
}

/** Pictures in use, by name: those kept before a time, or from then on. */
export async function listKeptPictures(
  db: ReadDb,
  kept: { before: string } | { from: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('file')
    .where('dropped_at', 'is', null)
    .where((e) => ('before' in kept ? e('kept_at', '<', kept.before) : e('kept_at', '>=', kept.from)))
    .where('file', '>', after)
    .orderBy('file')
    .limit(limit)
    .execute()
  return rows.map(({ file }) => file)
}

/** When the newest picture came into use; undefined without one. */
export async function findNewestKeptAt(db: ReadDb): Promise<string | undefined> {
  const row = await db
    .selectFrom('pictures')
    .select((e) => e.fn.max('kept_at').as('newest'))
    .executeTakeFirst()
  return row?.newest ?? undefined
}

/** Deletes those that are still unused. */
export async function deletePictures(db: Db, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await db
    .deleteFrom('pictures')
    .where('file', 'in', files)
    .where((e) => e.or([e('kept_at', 'is', null), e('dropped_at', 'is not', null)]))
    .execute()
}

import type { Db, ReadDb } from '../../db/open.ts'
import type { ThrottlesTable } from '../../db/schema.ts'

export async function findThrottle(db: ReadDb, key: string): Promise<ThrottlesTable | undefined> {
  return await db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst()
}

/** The same, and nobody else counts on it until this transaction has ended. */
export async function lockThrottle(db: Db, key: string): Promise<ThrottlesTable | undefined> {
  return await db.selectFrom('throttles').selectAll().where('key', '=', key).forUpdate().executeTakeFirst()
}

/** Counts one failure and answers how many there are now; undefined while the key is blocked: then it was no try. */
export async function countFailure(db: Db, key: string, now: string): Promise<number | undefined> {
  const row = await db
    .insertInto('throttles')
    .values({ key, failures: 1, blocked_until: null, updated_at: now })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((e) => ({ failures: e('throttles.failures', '+', 1), updated_at: now }))
        .where((e) => e.or([e('throttles.blocked_until', 'is', null), e('throttles.blocked_until', '<=', now)])),
    )
    .returning('failures')
    .executeTakeFirst()
  return row?.failures
}

export async function blockUntil(db: Db, key: string, blocked_until: string): Promise<void> {
  await db.updateTable('throttles').set({ blocked_until }).where('key', '=', key).execute()
}

export async function deleteThrottle(db: Db, key: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', key).execute()
}

/** Leaves those whose key begins with `kept`. Answers how many it deleted. */
export async function deleteOldThrottles(db: Db, kept: string, before: string, most: number): Promise<number> {
  const old = db
    .selectFrom('throttles')
    .select('key')
    .where('updated_at', '<', before)
    .where('key', 'not like', `${kept}%`)
    .limit(most)
  const result = await db.deleteFrom('throttles').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

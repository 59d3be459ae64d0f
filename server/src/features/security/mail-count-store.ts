import type { Db } from '../../db/open.ts'

type Count = { key: string; limit: number; now: string; until: string }

/** Counts one mail; the count restarts when the day is over. Returns false without counting when the limit is reached. */
export async function upsertMailCount(db: Db, { key, limit, now, until }: Count): Promise<boolean> {
  if (limit <= 0) return false
  const row = await db
    .insertInto('mail_counts')
    .values({ key, sent: 1, until })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((e) => {
          const isOver = e('mail_counts.until', '<=', now)
          return {
            sent: e
              .case()
              .when(isOver)
              .then(1)
              .else(e('mail_counts.sent', '+', 1))
              .end(),
            until: e.case().when(isOver).then(until).else(e.ref('mail_counts.until')).end(),
          }
        })
        .where((e) => e.or([e('mail_counts.until', '<=', now), e('mail_counts.sent', '<', limit)])),
    )
    .returning('sent')
    .executeTakeFirst()
  return row !== undefined
}

export async function findMailCountEnd(db: Db, key: string): Promise<string | undefined> {
  const query = db.selectFrom('mail_counts').select('until').where('key', '=', key)
  return (await query.executeTakeFirst())?.until
}

export async function deleteOldMailCounts(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('mail_counts').select('key').where('until', '<=', before).limit(limit)
  const result = await db.deleteFrom('mail_counts').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

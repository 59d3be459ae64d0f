import type { Db, ReadDb } from '../../db/open.ts'
import type { OtpTriesTable } from '../../db/schema.ts'

export interface Bounds {
  in_a_row: number
  within_hour: number
}

/**
 * Counts one try before anybody looks whether it is right, so that many at once are no more than one after the other.
 * Undefined when there have been as many as there may be: then it was none.
 */
export async function takeTry(
  db: Db,
  key: string,
  bounds: Bounds,
  { now, hour_until }: { now: string; hour_until: string },
): Promise<Pick<OtpTriesTable, 'within_hour'> | undefined> {
  return await db
    .insertInto('otp_tries')
    .values({ key, in_a_row: 1, within_hour: 1, hour_until })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((e) => ({
          in_a_row: e('otp_tries.in_a_row', '+', 1),
          within_hour: e
            .case()
            .when('otp_tries.hour_until', '<=', now)
            .then(1)
            .else(e('otp_tries.within_hour', '+', 1))
            .end(),
          hour_until: e
            .case()
            .when('otp_tries.hour_until', '<=', now)
            .then(hour_until)
            .else(e.ref('otp_tries.hour_until'))
            .end(),
        }))
        .where('otp_tries.in_a_row', '<', bounds.in_a_row)
        .where((e) =>
          e.or([e('otp_tries.hour_until', '<=', now), e('otp_tries.within_hour', '<', bounds.within_hour)]),
        ),
    )
    .returning('within_hour')
    .executeTakeFirst()
}

export async function findTries(db: ReadDb, key: string): Promise<OtpTriesTable | undefined> {
  return await db.selectFrom('otp_tries').selectAll().where('key', '=', key).executeTakeFirst()
}

export async function deleteTries(db: Db, key: string): Promise<void> {
  await db.deleteFrom('otp_tries').where('key', '=', key).execute()
}

/** Those whose keys begin alike. */
export async function deleteAllTries(db: Db, beginning: string): Promise<void> {
  await db.deleteFrom('otp_tries').where('key', 'like', `${beginning}%`).execute()
}

/** Leaves those whose key ends with `kept`. Answers how many it deleted. */
export async function deleteOldTries(db: Db, kept: string, before: string, most: number): Promise<number> {
  const old = db
    .selectFrom('otp_tries')
    .select('key')
    .where('hour_until', '<', before)
    .where('key', 'not like', `%${kept}`)
    .limit(most)
  const result = await db.deleteFrom('otp_tries').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

import { beginsWith } from '../../../db/dialect.ts'
import type { Db, ReadDb } from '../../../db/open.ts'
import type { OtpTriesTable } from '../../../db/schema.ts'

export interface AttemptLimits {
  in_a_row: number
  within_hour: number
}

/**
 * Counts one attempt before the code is verified, so that concurrent attempts do not exceed the limits. Returns undefined
 * without counting when a limit is reached.
 */
export async function upsertAttempt(
  db: Db,
  key: string,
  bounds: AttemptLimits,
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

export async function findAttempts(db: ReadDb, key: string): Promise<OtpTriesTable | undefined> {
  return await db.selectFrom('otp_tries').selectAll().where('key', '=', key).executeTakeFirst()
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('otp_tries').where('key', '=', key).execute()
}

export async function deleteAttemptsByPrefix(db: Db, beginning: string): Promise<void> {
  await db
    .deleteFrom('otp_tries')
    .where(beginsWith(db, 'key', beginning))
    .execute()
}

/** Deletes old counters except those whose key ends with `keep_suffix`, and returns how many. */
export async function deleteOldAttempts(db: Db, keep_suffix: string, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('otp_tries')
    .select('key')
    .where('hour_until', '<', before)
    .where('key', 'not like', `%${keep_suffix}`)
    .limit(limit)
  const result = await db.deleteFrom('otp_tries').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

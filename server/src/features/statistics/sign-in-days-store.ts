import type { Db, ReadDb } from '../../db/open.ts'

export type SignInDay = { day: string; sign_ins: number; failures: number }

/** Adds to the row of a day. */
export async function upsertSignInDay(db: Db, row: SignInDay): Promise<void> {
  await db
    .insertInto('sign_in_days')
    .values(row)
    .onConflict((c) =>
      c.column('day').doUpdateSet((e) => ({
        sign_ins: e('sign_in_days.sign_ins', '+', e.ref('excluded.sign_ins')),
        failures: e('sign_in_days.failures', '+', e.ref('excluded.failures')),
      })),
    )
    .execute()
}

export async function listSignInDays(db: ReadDb, since: string): Promise<SignInDay[]> {
  return await db.selectFrom('sign_in_days').selectAll().where('day', '>=', since).orderBy('day').execute()
}

/** Deletes the days before a day. */
export async function deleteSignInDaysBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('sign_in_days').where('day', '<', day).execute()
}

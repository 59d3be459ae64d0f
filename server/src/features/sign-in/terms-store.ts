import type { Db, ReadDb } from '../../db/open.ts'
import type { AcceptedTermsTable } from '../../db/schema.ts'

export async function hasAccepted(db: ReadDb, user_id: string, version: string): Promise<boolean> {
  const row = await db
    .selectFrom('accepted_terms')
    .select('accepted_at')
    .where('user_id', '=', user_id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps the time of the first acceptance. */
export async function insertAcceptedTerms(db: Db, row: AcceptedTermsTable): Promise<void> {
  await db
    .insertInto('accepted_terms')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute()
}

/** Accepted terms of a user, for a data archive. */
export async function listAcceptedTerms(db: ReadDb, user_id: string): Promise<AcceptedTermsTable[]> {
  return await db
    .selectFrom('accepted_terms')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('accepted_at')
    .execute()
}

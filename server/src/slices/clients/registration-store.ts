import type { Db, ReadDb } from '../../db/open.ts'
import type { RegistrationTokensTable } from '../../db/schema.ts'

export type RegistrationToken = RegistrationTokensTable

export async function insertRegistrationToken(db: Db, row: RegistrationToken): Promise<void> {
  await db.insertInto('registration_tokens').values(row).execute()
}

/** One app may be registered with it now; undefined when it never was, is over, or used up. */
export async function spendRegistrationToken(
  db: Db,
  token_hash: string,
  now: string,
): Promise<RegistrationToken | undefined> {
  return await db
    .updateTable('registration_tokens')
    .set((e) => ({ uses_left: e('uses_left', '-', 1) }))
    .where('token_hash', '=', token_hash)
    .where('client_id', 'is', null)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** What lets this app be changed. */
export async function findRegistrationToken(
  db: ReadDb,
  { token_hash, client_id }: { token_hash: string; client_id: string },
): Promise<RegistrationToken | undefined> {
  return await db
    .selectFrom('registration_tokens')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
}

/** Deletes up to `limit` that were over before this; answers how many. */
export async function deleteRegistrationTokens(db: Db, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('registration_tokens')
    .where('token_hash', 'in', (e) =>
      e.selectFrom('registration_tokens').select('token_hash').where('expires_at', '<', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

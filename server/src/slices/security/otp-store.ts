import type { Db, ReadDb } from '../../db/open.ts'
import type { OtpSeedsTable } from '../../db/schema.ts'

/** Keeps a seed that waits for its first code, in place of one that waited before; false when one is on already. */
export async function putSeed(db: Db, { user_id, ...seed }: OtpSeedsTable): Promise<boolean> {
  const result = await db
    .insertInto('otp_seeds')
    .values({ user_id, ...seed })
    .onConflict((c) => c.column('user_id').doUpdateSet(seed).where('otp_seeds.enabled_at', 'is', null))
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function findSeed(db: ReadDb, user_id: string): Promise<OtpSeedsTable | undefined> {
  return await db.selectFrom('otp_seeds').selectAll().where('user_id', '=', user_id).executeTakeFirst()
}

/** The seed counts from now on, unless another one has taken its place meanwhile. */
export async function enableSeed(
  db: Db,
  { user_id, sealed_seed }: OtpSeedsTable,
  last_step: number,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('otp_seeds')
    .set({ enabled_at: now, last_step })
    .where('user_id', '=', user_id)
    .where('sealed_seed', '=', sealed_seed)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Uses up the code of a step: one write, which succeeds for exactly one of those who come with it (RFC 6238 §5.2). */
export async function useStep(db: Db, user_id: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('otp_seeds')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('enabled_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** False when it was off. */
export async function deleteSeed(db: Db, user_id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('otp_seeds')
    .where('user_id', '=', user_id)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** The former ones are void. */
export async function replaceCodes(db: Db, user_id: string, hashes: string[]): Promise<void> {
  await deleteCodes(db, user_id)
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute()
}

/** Uses it up: one write, which succeeds for exactly one of those who come with it. */
export async function useCode(db: Db, user_id: string, code_hash: string): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deleteCodes(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
}

/** Deletes seeds that nobody confirmed in time; answers how many. */
export async function deleteOldSeeds(db: Db, before: string, most: number): Promise<number> {
  const old = db
    .selectFrom('otp_seeds')
    .select('user_id')
    .where('enabled_at', 'is', null)
    .where('created_at', '<', before)
    .limit(most)
  const result = await db
    .deleteFrom('otp_seeds')
    .where('user_id', 'in', old)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

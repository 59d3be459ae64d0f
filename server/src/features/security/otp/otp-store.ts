import { prepare } from '../../../db/compiled-queries/prepare.ts'
import type { Db, Guard, ReadDb } from '../../../db/open.ts'
import type { OtpSeedsTable } from '../../../db/schema.ts'

/** Inserts or replaces an unconfirmed seed. Returns false when a confirmed one exists. */
export async function upsertSeed(db: Db, { user_id, ...seed }: OtpSeedsTable): Promise<boolean> {
  const result = await db
    .insertInto('otp_seeds')
    .values({ user_id, ...seed })
    .onConflict((c) => c.column('user_id').doUpdateSet(seed).where('otp_seeds.enabled_at', 'is', null))
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

const seedOfUser = prepare((db, { user_id }: { user_id: string }) =>
  db.selectFrom('otp_seeds').selectAll().where('user_id', '=', user_id),
)

export async function findSeed(db: ReadDb, user_id: string): Promise<OtpSeedsTable | undefined> {
  return await seedOfUser.first(db, { user_id })
}

const withoutFactor = prepare((db, { user_id }: { user_id: string }) =>
  db
    .selectFrom('otp_seeds')
    .select((e) => e('enabled_at', 'is', null).as('holds'))
    .where('user_id', '=', user_id),
)

/** Holds while two-factor authentication is off. */
export function withoutFactorGuard(user_id: string): Guard {
  return { statement: withoutFactor.with({ user_id }), missing: true }
}

/** Confirms a seed. Returns false when it was replaced or confirmed meanwhile. */
export async function updateSeedEnabled(
  db: Db,
  { user_id, sealed_seed }: OtpSeedsTable,
  enabled: Pick<OtpSeedsTable, 'sealed_seed' | 'enabled_at' | 'last_step'>,
): Promise<boolean> {
  const result = await db
    .updateTable('otp_seeds')
    .set(enabled)
    .where('user_id', '=', user_id)
    .where('sealed_seed', '=', sealed_seed)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Consumes the code of a time step: of concurrent requests exactly one succeeds (RFC 6238 §5.2). */
export async function consumeStep(db: Db, user_id: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('otp_seeds')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('enabled_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteSeed(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('otp_seeds').where('user_id', '=', user_id).execute()
}

export async function replaceRecoveryCodes(db: Db, user_id: string, hashes: string[]): Promise<void> {
  await deleteRecoveryCodes(db, user_id)
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute()
}

/** Consumes a recovery code by its hash with one of the keys: of concurrent requests exactly one succeeds. */
export async function consumeRecoveryCode(db: Db, user_id: string, hashes: readonly string[]): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', 'in', hashes)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deleteRecoveryCodes(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
}

/** Seeds in the order of their users. */
export async function listSeedsForUpdate(db: Db, after: string, limit: number) {
  return await db
    .selectFrom('otp_seeds')
    .select(['user_id', 'sealed_seed'])
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function updateSealedSeed(db: Db, user_id: string, sealed_seed: string): Promise<void> {
  await db.updateTable('otp_seeds').set({ sealed_seed }).where('user_id', '=', user_id).execute()
}

/** Deletes unconfirmed seeds and returns how many. */
export async function deleteOldSeeds(db: Db, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('otp_seeds')
    .select('user_id')
    .where('enabled_at', 'is', null)
    .where('created_at', '<', before)
    .limit(limit)
  const result = await db
    .deleteFrom('otp_seeds')
    .where('user_id', 'in', old)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import type { OperatorsTable } from '../../db/schema.ts'

export type OperatorRow = OperatorsTable

const byUser = prepare((db, { user_id }: { user_id: string }) =>
  db.selectFrom('operators').selectAll().where('user_id', '=', user_id),
)

export async function findOperator(db: ReadDb, user_id: string): Promise<OperatorRow | undefined> {
  return await byUser.first(db, { user_id })
}

export async function listOperators(db: ReadDb): Promise<OperatorRow[]> {
  return await db.selectFrom('operators').selectAll().orderBy('added_at').orderBy('user_id').execute()
}

/** Locks all operators, so that two changes cannot each leave the other's admin as the last one. */
export async function listOperatorsForUpdate(db: Db): Promise<OperatorRow[]> {
  return await db.selectFrom('operators').selectAll().orderBy('user_id').forUpdate().execute()
}

/** Returns those of the users whose account is being deleted. */
export async function findUsersBeingDeleted(db: ReadDb, user_ids: readonly string[]): Promise<string[]> {
  if (user_ids.length === 0) return []
  const query = db.selectFrom('account_deletions').select('user_id').where('user_id', 'in', user_ids)
  return (await query.execute()).map(({ user_id }) => user_id)
}

/** Returns false when the user is an operator already. */
export async function insertOperator(db: Db, row: OperatorRow): Promise<boolean> {
  const result = await db
    .insertInto('operators')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function updateRole(db: Db, user_id: string, role: string): Promise<void> {
  await db.updateTable('operators').set({ role }).where('user_id', '=', user_id).execute()
}

export async function deleteOperator(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('operators').where('user_id', '=', user_id).execute()
}

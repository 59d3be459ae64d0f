import { isUniqueViolation } from '../../db/dialect.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import { prepare } from '../../db/prepare.ts'
import type { UsersTable } from '../../db/schema.ts'

/** Answers false when the address or the user name belongs to somebody already. */
export async function insertUser(db: Db, row: UsersTable): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('users').selectAll().where('id', '=', id))

export async function findUser(db: ReadDb, id: string): Promise<UsersTable | undefined> {
  return await byId.first(db, { id })
}

export async function findUsers(db: ReadDb, ids: readonly string[]): Promise<UsersTable[]> {
  if (ids.length === 0) return []
  return await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
}

/** With all that hangs on it, by foreign keys. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** The same, and nobody else changes it until this transaction has ended. Its key cannot change, so rows may refer to it meanwhile. */
export async function lockUser(db: Db, id: string): Promise<UsersTable | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function findUserByEmail(db: ReadDb, email: string): Promise<UsersTable | undefined> {
  return await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function findUserByUsername(db: ReadDb, username_key: string): Promise<UsersTable | undefined> {
  return await db.selectFrom('users').selectAll().where('username_key', '=', username_key).executeTakeFirst()
}

/** Answers false when the new address or user name belongs to somebody else; nothing more can be done then. */
export async function updateUser(db: Db, id: string, changes: Partial<UsersTable>): Promise<boolean> {
  const update = db.updateTable('users').set(changes).where('id', '=', id).execute()
  return await update.then(
    () => true,
    (error: unknown) => {
      if (isUniqueViolation(error)) return false
      throw error
    },
  )
}

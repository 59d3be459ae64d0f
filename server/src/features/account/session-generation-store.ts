import type { Db, ReadDb } from '../../db/open.ts'

/** Lets only sessions of this generation live. */
export async function updateSessionGeneration(db: Db, id: string, session_generation: string): Promise<void> {
  await db.updateTable('users').set({ session_generation }).where('id', '=', id).execute()
}

/** Lets sessions of all generations live again, once the former ones are written as ended. */
export async function clearSessionGeneration(db: Db, id: string): Promise<void> {
  await db.updateTable('users').set({ session_generation: null }).where('id', '=', id).execute()
}

export async function findSessionGeneration(db: ReadDb, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('session_generation').where('id', '=', id).executeTakeFirst()
  return row?.session_generation ?? undefined
}

/** Lists users some of whose ended sessions may not be written yet. */
export async function listUsersWithEndedSessions(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('session_generation', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

import type { Db, ReadDb } from '../../db/open.ts'
import type { InvitationsTable } from '../../db/schema.ts'
import { inBatches } from '../../lib/batches.ts'

export type InvitationRow = InvitationsTable
export type InvitationEnd = NonNullable<InvitationRow['ended_as']>

export async function insertInvitation(db: Db, row: InvitationRow): Promise<void> {
  await db.insertInto('invitations').values(row).execute()
}

export async function findInvitation(db: ReadDb, developer_id: string, id: string): Promise<InvitationRow | undefined> {
  return await db
    .selectFrom('invitations')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Addresses of invitations of a developer account, by id; without those that were deleted. */
export async function findInvitedAddresses(
  db: ReadDb,
  developer_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const query = db.selectFrom('invitations').select(['id', 'email']).where('developer_id', '=', developer_id)
  const rows = await inBatches(ids, (some) => query.where('id', 'in', some).execute())
  return new Map(rows.map(({ id, email }) => [id, email]))
}

export async function findInvitationByToken(db: ReadDb, token_hash: string): Promise<InvitationRow | undefined> {
  return await db.selectFrom('invitations').selectAll().where('token_hash', '=', token_hash).executeTakeFirst()
}

/** Lists invitations that are neither accepted nor withdrawn, newest first; expired ones included. */
export async function listOpenInvitations(db: ReadDb, developer_id: string): Promise<InvitationRow[]> {
  return await db
    .selectFrom('invitations')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where((eb) => eb.or([eb('ended_as', 'is', null), eb('ended_as', '=', 'declined')]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Lists open, unexpired invitations to an address, newest first. */
export async function listInvitationsByEmail(db: ReadDb, email: string, now: string): Promise<InvitationRow[]> {
  return await db
    .selectFrom('invitations')
    .selectAll()
    .where('email', '=', email)
    .where('ended_as', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Sets how an open invitation ended. Returns false when it had ended already. */
export async function updateInvitationEnd(db: Db, id: string, ended_as: InvitationEnd, now: string): Promise<boolean> {
  const result = await db
    .updateTable('invitations')
    .set({ ended_as })
    .where('id', '=', id)
    .where('ended_as', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Sets how the listed invitations to an address ended, expired and declined ones included. */
export async function updateInvitationEnds(
  db: Db,
  developer_id: string,
  email: string,
  ended_as: InvitationEnd,
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ ended_as })
    .where('developer_id', '=', developer_id)
    .where('email', '=', email)
    .where((eb) => eb.or([eb('ended_as', 'is', null), eb('ended_as', '=', 'declined')]))
    .execute()
}

export async function deleteInvitationsOfDeveloper(db: Db, developer_id: string): Promise<void> {
  await db.deleteFrom('invitations').where('developer_id', '=', developer_id).execute()
}

export async function deleteInvitationsByEmail(db: Db, email: string): Promise<void> {
  await db.deleteFrom('invitations').where('email', '=', email).execute()
}

/** Deletes at most `most` invitations, so that the write lock is short. Returns their number. */
export async function deleteInvitationsBefore(db: Db, before: string, most: number): Promise<number> {
  const old = db.selectFrom('invitations').select('id').where('expires_at', '<', before).limit(most)
  const result = await db.deleteFrom('invitations').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

import type { Db, ReadDb } from '../../db/open.ts'
import type { InvitationsTable } from '../../db/schema.ts'

export type InvitationRow = InvitationsTable
export type Ending = NonNullable<InvitationRow['ended_as']>

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

export async function findInvitationByToken(db: ReadDb, token_hash: string): Promise<InvitationRow | undefined> {
  return await db.selectFrom('invitations').selectAll().where('token_hash', '=', token_hash).executeTakeFirst()
}

/** Those that nobody has accepted or withdrawn, the newest first; expired ones, too. */
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

/** Those to an address that have not ended, the newest first. */
export async function listInvitationsTo(db: ReadDb, email: string, now: string): Promise<InvitationRow[]> {
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

/** Addresses that were invited since then, each as often as it was; at most so many. */
export async function listInvitedSince(db: ReadDb, developer_id: string, since: string, most: number) {
  return await db
    .selectFrom('invitations')
    .select('email')
    .where('developer_id', '=', developer_id)
    .where('created_at', '>', since)
    .limit(most)
    .execute()
}

/** One write that succeeds for exactly one of those who want to end it. */
export async function endInvitation(db: Db, id: string, ended_as: Ending, now: string): Promise<boolean> {
  const result = await db
    .updateTable('invitations')
    .set({ ended_as })
    .where('id', '=', id)
    .where('ended_as', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Takes those to an address off the list, expired and declined ones, too. */
export async function endInvitationsTo(db: Db, developer_id: string, email: string, ended_as: Ending): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ ended_as })
    .where('developer_id', '=', developer_id)
    .where('email', '=', email)
    .where((eb) => eb.or([eb('ended_as', 'is', null), eb('ended_as', '=', 'declined')]))
    .execute()
}

/** For an address whose account goes. */
export async function deleteInvitationsTo(db: Db, email: string): Promise<void> {
  await db.deleteFrom('invitations').where('email', '=', email).execute()
}

/** Answers how many it deleted; `most` bounds the time for which it holds the writer. */
export async function deleteOldInvitations(db: Db, before: string, most: number): Promise<number> {
  const old = db.selectFrom('invitations').select('id').where('expires_at', '<', before).limit(most)
  const result = await db.deleteFrom('invitations').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

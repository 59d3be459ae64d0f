import type { Db, ReadDb } from '../../../db/open.ts'
import type { QrCodesTable } from '../../../db/schema.ts'

export type QrCode = QrCodesTable

export async function insertQrCode(db: Db, row: QrCode): Promise<void> {
  await db.insertInto('qr_codes').values(row).execute()
}

export async function findQrCode(db: ReadDb, code_hash: string): Promise<QrCode | undefined> {
  return await db.selectFrom('qr_codes').selectAll().where('code_hash', '=', code_hash).executeTakeFirst()
}

export async function hasOpenQrCode(db: ReadDb, browser_hash: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('qr_codes')
    .select('code_hash')
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The user and browser that approve or deny a code. */
export interface Approver {
  code_hash: string
  user_id: string
  session_id: string
  /** Hash of the QR cookie of the approving browser; the browser that shows a code cannot approve it. */
  browser_hash: string | null
  now: string
}

function updateOpenQrCode(db: Db, { code_hash, user_id, browser_hash, now }: Approver) {
  return db
    .updateTable('qr_codes')
    .where('code_hash', '=', code_hash)
    .where('state', 'in', ['pending', 'seen'])
    .where('expires_at', '>', now)
    .where((e) => e.or([e('user_id', 'is', null), e('user_id', '=', user_id)]))
    .where('browser_hash', '!=', browser_hash ?? '')
}

/** Binds a code to the first user who views it. Returns false when it is not pending or is bound to another user. */
export async function updateSeen(db: Db, approver: Approver): Promise<boolean> {
  const result = await updateOpenQrCode(db, approver)
    .set({ state: 'seen', user_id: approver.user_id })
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Approves in one conditional write (security §2.3.1). Returns undefined when the number or the state does not match. */
export async function updateApproved(
  db: Db,
  approver: Approver,
  { match, collect_until }: { match: string; collect_until: string },
): Promise<Pick<QrCode, 'browser_hash'> | undefined> {
  return await updateOpenQrCode(db, approver)
    .set({ state: 'approved', user_id: approver.user_id, session_id: approver.session_id, expires_at: collect_until })
    .where('match', '=', match)
    .returning('browser_hash')
    .executeTakeFirst()
}

export async function updateDenied(db: Db, approver: Approver): Promise<Pick<QrCode, 'browser_hash'> | undefined> {
  return await updateOpenQrCode(db, approver)
    .set({ state: 'denied', user_id: approver.user_id })
    .returning('browser_hash')
    .executeTakeFirst()
}

/** Counts a wrong number; the last allowed one denies the code. */
export async function updateWrongMatch(
  db: Db,
  approver: Approver,
  limit: number,
): Promise<Pick<QrCode, 'browser_hash' | 'state'> | undefined> {
  return await updateOpenQrCode(db, approver)
    .set((e) => ({
      tries: e('tries', '+', 1),
      user_id: approver.user_id,
      state: e
        .case()
        .when('tries', '>=', limit - 1)
        .then('denied' as const)
        .else('seen' as const)
        .end(),
    }))
    .returning(['browser_hash', 'state'])
    .executeTakeFirst()
}

/** Consumes an approved code in one conditional write. Returns the user to sign in, and the session that has approved it. */
export async function consumeQrCode(
  db: Db,
  { code_hash, browser_hash, now }: Pick<Approver, 'code_hash' | 'now'> & { browser_hash: string },
): Promise<Pick<QrCode, 'user_id' | 'session_id'> | undefined> {
  return await db
    .updateTable('qr_codes')
    .set({ state: 'used' })
    .where('code_hash', '=', code_hash)
    .where('browser_hash', '=', browser_hash)
    .where('state', '=', 'approved')
    .where('expires_at', '>', now)
    .returning(['user_id', 'session_id'])
    .executeTakeFirst()
}

/** Notes the session that a consumed code has opened. */
export async function updateOpenedSession(db: Db, code_hash: string, opened_session_id: string): Promise<void> {
  await db.updateTable('qr_codes').set({ opened_session_id }).where('code_hash', '=', code_hash).execute()
}

/** Marks all codes that the user has approved as used, so that they open no session. */
export async function consumeApprovedQrCodes(db: Db, user_id: string): Promise<void> {
  await db
    .updateTable('qr_codes')
    .set({ state: 'used' })
    .where('user_id', '=', user_id)
    .where('state', '=', 'approved')
    .execute()
}

/** Returns how many rows were deleted. `limit` bounds the duration of the write transaction. */
export async function deleteOldQrCodes(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('qr_codes').select('code_hash').where('expires_at', '<', before).limit(limit)
  const result = await db.deleteFrom('qr_codes').where('code_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

import type { Db, ReadDb } from '../../db/open.ts'
import type { QrCodesTable } from '../../db/schema.ts'

export type QrCode = QrCodesTable

export async function insertQrCode(db: Db, row: QrCode): Promise<void> {
  await db.insertInto('qr_codes').values(row).execute()
}

export async function findQrCode(db: ReadDb, code_hash: string): Promise<QrCode | undefined> {
  return await db.selectFrom('qr_codes').selectAll().where('code_hash', '=', code_hash).executeTakeFirst()
}

/** Whether a browser shows a code that something can still come of. */
export async function browserWaits(db: ReadDb, browser_hash: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('qr_codes')
    .select('code_hash')
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What may be done with a code that waits, and by whom: whoever saw it first, and not the browser that shows it. */
export interface Phone {
  code_hash: string
  user_id: string
  /** Of the phone's own cookie, if it shows codes itself. */
  browser_hash: string | null
  now: string
}

function waitingFor(db: Db, { code_hash, user_id, browser_hash, now }: Phone) {
  return db
    .updateTable('qr_codes')
    .where('code_hash', '=', code_hash)
    .where('state', 'in', ['pending', 'seen'])
    .where('expires_at', '>', now)
    .where((e) => e.or([e('user_id', 'is', null), e('user_id', '=', user_id)]))
    .where('browser_hash', '!=', browser_hash ?? '')
}

/** Binds a code to whoever sees it first; false when there is none for them. */
export async function seeQrCode(db: Db, phone: Phone): Promise<boolean> {
  const result = await waitingFor(db, phone)
    .set({ state: 'seen', user_id: phone.user_id })
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The one write that approves: everything that must be true stands in it. Answers whose code it was. */
export async function approveQrCode(
  db: Db,
  phone: Phone,
  { match, collect_until }: { match: string; collect_until: string },
): Promise<Pick<QrCode, 'browser_hash'> | undefined> {
  return await waitingFor(db, phone)
    .set({ state: 'approved', user_id: phone.user_id, expires_at: collect_until })
    .where('match', '=', match)
    .returning('browser_hash')
    .executeTakeFirst()
}

export async function denyQrCode(db: Db, phone: Phone): Promise<Pick<QrCode, 'browser_hash'> | undefined> {
  return await waitingFor(db, phone)
    .set({ state: 'denied', user_id: phone.user_id })
    .returning('browser_hash')
    .executeTakeFirst()
}

/** Counts a wrong number; the last one that is borne denies. */
export async function countWrongMatch(
  db: Db,
  phone: Phone,
  most: number,
): Promise<Pick<QrCode, 'browser_hash' | 'state'> | undefined> {
  return await waitingFor(db, phone)
    .set((e) => ({
      tries: e('tries', '+', 1),
      user_id: phone.user_id,
      state: e
        .case()
        .when('tries', '>=', most - 1)
        .then('denied' as const)
        .else('seen' as const)
        .end(),
    }))
    .returning(['browser_hash', 'state'])
    .executeTakeFirst()
}

/** Uses up an approved code; answers, once, who is to be signed in. */
export async function collectQrCode(
  db: Db,
  { code_hash, browser_hash, now }: Pick<Phone, 'code_hash' | 'now'> & { browser_hash: string },
): Promise<string | undefined> {
  const row = await db
    .updateTable('qr_codes')
    .set({ state: 'used' })
    .where('code_hash', '=', code_hash)
    .where('browser_hash', '=', browser_hash)
    .where('state', '=', 'approved')
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

/** Nobody collects any more what this person has approved. */
export async function voidApproved(db: Db, user_id: string): Promise<void> {
  await db
    .updateTable('qr_codes')
    .set({ state: 'used' })
    .where('user_id', '=', user_id)
    .where('state', '=', 'approved')
    .execute()
}

/** Answers how many it deleted; `most` bounds the time for which it holds the writer. */
export async function deleteOldQrCodes(db: Db, before: string, most: number): Promise<number> {
  const old = db.selectFrom('qr_codes').select('code_hash').where('expires_at', '<', before).limit(most)
  const result = await db.deleteFrom('qr_codes').where('code_hash', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}

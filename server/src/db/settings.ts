import type { Db, ReadDb } from './compiled-queries/handle.ts'
import { prepare } from './compiled-queries/prepare.ts'

/** Fingerprint of the secret with which values are encrypted. */
export const SECRET_FINGERPRINT = 'secret_fingerprint'
/** Fingerprints of the secrets that the server which has started last accepts, that of its own first, between spaces. */
export const SECRETS_IN_USE = 'secrets_in_use'
/** Address of the server that was started last. */
export const LAST_URL = 'last_url'
/** When `vrata backup` last completed a file. */
export const LAST_BACKUP = 'last_backup'

/** Inserts a setting unless it exists. Returns the stored value. One that exists costs one read. */
export async function insertSetting(db: Db, key: string, value: string): Promise<string> {
  const existing = await findSetting(db, key)
  if (existing !== undefined) return existing
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const stored = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirstOrThrow()
  return stored.value
}

/** Locks a setting until the transaction ends, and creates it when missing. */
export async function lockSetting(db: Db, key: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
    .execute()
}

/** Locks a setting until the transaction ends and returns its value; undefined when it is missing. */
export async function findSettingForUpdate(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).forUpdate().executeTakeFirst()
  return row?.value
}

/** Keeps a setting from being changed until the transaction ends, and returns its value; undefined when it is missing. */
export async function findSettingForShare(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).forShare().executeTakeFirst()
  return row?.value
}

const byKey = prepare((db, { key }: { key: string }) =>
  db.selectFrom('settings').select('value').where('key', '=', key),
)

export async function findSetting(db: ReadDb, key: string): Promise<string | undefined> {
  const row = await byKey.first(db, { key })
  return row?.value
}

export async function upsertSetting(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

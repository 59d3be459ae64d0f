import type { Db } from './handle.ts'

/** Keeps a fact about this installation; the first value stays. Returns the one that is kept. */
export async function keepSetting(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const kept = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirstOrThrow()
  return kept.value
}

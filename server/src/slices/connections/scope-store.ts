import { listWithout } from '../../db/json-list.ts'
import type { Db, ReadDb } from '../../db/open.ts'

/** Notes that a connection has these scopes of apps now. */
export async function keepScopes(db: Db, connection_id: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await db
    .insertInto('connection_scopes')
    .values(keys.map((key) => ({ key, connection_id })))
    .onConflict((c) => c.doNothing())
    .execute()
}

export async function dropScope(db: Db, connection_id: string, key: string): Promise<void> {
  await db.deleteFrom('connection_scopes').where('key', '=', key).where('connection_id', '=', connection_id).execute()
}

/** How many people allow some app this scope; no more than `limit` are counted. */
export async function countPeople(db: ReadDb, key: string, limit: number): Promise<number> {
  const people = db
    .selectFrom('connection_scopes')
    .innerJoin('connections', 'connections.id', 'connection_scopes.connection_id')
    .where('key', '=', key)
    .select('user_id')
    .groupBy('user_id')
    .limit(limit)
    .as('people')
  const { count } = await db
    .selectFrom(people)
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Nobody allows it to any app any more. */
export async function forgetScope(db: Db, key: string): Promise<void> {
  const holding = db.selectFrom('connection_scopes').select('connection_id').where('key', '=', key)
  await db
    .updateTable('connections')
    .set({ scopes: listWithout('scopes', key) })
    .where('id', 'in', holding)
    .execute()
}

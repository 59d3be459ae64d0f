import type { Db, ReadDb } from '../../db/open.ts'
import { prepare } from '../../db/prepare.ts'
import type { ConnectionsTable } from '../../db/schema.ts'
import type { JsonText } from '../../db/values.ts'

export type ConnectionRow = ConnectionsTable

const ofPerson = prepare((db, { user_id, client_id }: { user_id: string; client_id: string }) =>
  db.selectFrom('connections').selectAll().where('user_id', '=', user_id).where('client_id', '=', client_id),
)

export async function findConnection(
  db: ReadDb,
  user_id: string,
  client_id: string,
): Promise<ConnectionRow | undefined> {
  return await ofPerson.first(db, { user_id, client_id })
}

/** The row of this person and app, made if it is not there; nobody else changes it until the transaction has ended. */
export async function lockConnection(db: Db, fresh: ConnectionRow): Promise<ConnectionRow> {
  return await db
    .insertInto('connections')
    .values(fresh)
    .onConflict((c) => c.columns(['user_id', 'client_id']).doUpdateSet({ updated_at: fresh.updated_at }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The row as it is now, which nobody else changes until the transaction has ended; undefined when it is gone. Of two who
 * hold it to remove it, one does.
 */
export async function holdConnection(db: Db, id: string, updated_at: string): Promise<ConnectionRow | undefined> {
  return await db.updateTable('connections').set({ updated_at }).where('id', '=', id).returningAll().executeTakeFirst()
}

/** All connections of an app, which nobody else changes, or makes tokens from, until the transaction has ended. */
export async function holdConnectionsOf(db: Db, client_id: string): Promise<void> {
  await db.selectFrom('connections').select('id').where('client_id', '=', client_id).orderBy('id').forUpdate().execute()
}

export async function setScopes(
  db: Db,
  id: string,
  changes: { scopes: JsonText<string[]>; declined?: JsonText<string[]> },
): Promise<void> {
  await db.updateTable('connections').set(changes).where('id', '=', id).execute()
}

/** Newest first. */
export async function listConnections(db: ReadDb, user_id: string): Promise<ConnectionRow[]> {
  return await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function deleteConnection(db: Db, id: string): Promise<void> {
  await db.deleteFrom('connections').where('id', '=', id).execute()
}

const using = prepare((db, { id, at, not_since }: { id: string; at: string; not_since: string }) =>
  db
    .updateTable('connections')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', not_since)]))
    .returning('user_id'),
)

/** Notes a use, unless one is noted after `not_since`; answers whose it was when it did. */
export async function noteUse(
  db: Db,
  id: string,
  at: string,
  not_since: string,
): Promise<Pick<ConnectionRow, 'user_id'> | undefined> {
  return await using.first(db, { id, at, not_since })
}

/** Has the person used another app of the organisation since then? */
export async function hasOtherUse(
  db: ReadDb,
  { id, user_id, developer_id, since }: { id: string; user_id: string; developer_id: string; since: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .innerJoin('clients', 'clients.client_id', 'connections.client_id')
    .select('connections.id')
    .where('connections.user_id', '=', user_id)
    .where('connections.id', '!=', id)
    .where('connections.last_used_at', '>=', since)
    .where('clients.developer_id', '=', developer_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

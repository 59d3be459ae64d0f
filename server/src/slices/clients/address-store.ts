import type { Db, ReadDb } from '../../db/open.ts'
import type { ClientKey } from './store.ts'

/** Redirect URIs and origins: two lists of exact strings, each oldest first. */

export async function listRedirectUris(db: ReadDb, { client_id }: Pick<ClientKey, 'client_id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('redirect_uris')
    .select('redirect_uri')
    .where('client_id', '=', client_id)
    .orderBy('created_at')
    .orderBy('redirect_uri')
    .execute()
  return rows.map(({ redirect_uri }) => redirect_uri)
}

/** False when it stands there already. */
export async function insertRedirectUri(
  db: Db,
  { client_id }: ClientKey,
  redirect_uri: string,
  created_at: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('redirect_uris')
    .values({ client_id, redirect_uri, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when it did not stand there. */
export async function deleteRedirectUri(db: Db, { client_id }: ClientKey, redirect_uri: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('redirect_uris')
    .where('client_id', '=', client_id)
    .where('redirect_uri', '=', redirect_uri)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function listOrigins(db: ReadDb, { client_id }: Pick<ClientKey, 'client_id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('origins')
    .select('origin')
    .where('client_id', '=', client_id)
    .orderBy('created_at')
    .orderBy('origin')
    .execute()
  return rows.map(({ origin }) => origin)
}

/** False when it stands there already. */
export async function insertOrigin(
  db: Db,
  { client_id }: ClientKey,
  origin: string,
  created_at: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('origins')
    .values({ client_id, origin, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when it did not stand there. */
export async function deleteOrigin(db: Db, { client_id }: ClientKey, origin: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('origins')
    .where('client_id', '=', client_id)
    .where('origin', '=', origin)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

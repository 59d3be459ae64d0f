import { prepare } from '../../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb, Statement } from '../../../db/open.ts'
import type { ClientKey } from '../store.ts'

/** Lists redirect URIs, oldest first. */
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

const urisOfEnabledClient = prepare((db, { client_id }: { client_id: string }) =>
  db
    .selectFrom('clients')
    .leftJoin('redirect_uris', 'redirect_uris.client_id', 'clients.client_id')
    .select('redirect_uris.redirect_uri')
    .where('clients.client_id', '=', client_id)
    .where('clients.enabled', '=', 1),
)

/** Finds the redirect URIs of a client. Undefined when it is disabled or deleted. */
export async function findRedirectUrisOfEnabledClient(db: ReadDb, client_id: string): Promise<string[] | undefined> {
  const rows = await urisOfEnabledClient.rows(db, { client_id })
  return rows.length > 0 ? rows.flatMap(({ redirect_uri }) => redirect_uri ?? []) : undefined
}

const uriOfEnabledClient = prepare((db, { client_id, redirect_uri }: { client_id: string; redirect_uri: string }) =>
  db
    .selectFrom('clients')
    .innerJoin('redirect_uris', 'redirect_uris.client_id', 'clients.client_id')
    .select((e) => e('clients.enabled', '=', 1).as('holds'))
    .where('clients.client_id', '=', client_id)
    .where('redirect_uris.redirect_uri', '=', redirect_uri),
)

/** Guard: the client is enabled and has the redirect URI. */
export function redirectUriOfEnabledClient(which: { client_id: string; redirect_uri: string }): Statement {
  return uriOfEnabledClient.with(which)
}

/** Returns false when the client has it already. */
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

/** Returns false when the client did not have it. */
export async function deleteRedirectUri(db: Db, { client_id }: ClientKey, redirect_uri: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('redirect_uris')
    .where('client_id', '=', client_id)
    .where('redirect_uri', '=', redirect_uri)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Lists origins, oldest first. */
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

/** Returns false when the client has it already. */
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

/** Returns false when the client did not have it. */
export async function deleteOrigin(db: Db, { client_id }: ClientKey, origin: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('origins')
    .where('client_id', '=', client_id)
    .where('origin', '=', origin)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

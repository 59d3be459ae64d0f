import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, Guard, ReadDb } from '../../db/open.ts'
import type { ClientsTable, Database } from '../../db/schema.ts'
import { anywhere } from '../../db/search-text.ts'
import { toFlag } from '../../db/values.ts'
import { inBatches } from '../../lib/batches.ts'
import { UNREGISTERED } from './metadata-documents/unregistered.ts'

export type ClientRow = ClientsTable
export type ClientKey = Pick<ClientRow, 'client_id' | 'developer_id'>
export type ClientChanges = Partial<Omit<ClientRow, 'client_id' | 'developer_id' | 'type' | 'created_at'>>

export async function insertClient(db: Db, row: ClientRow): Promise<void> {
  await db.insertInto('clients').values(row).execute()
}

/** Clients that are not deleted. */
export function present(db: ReadDb) {
  return db.selectFrom('clients').where('deleted_at', 'is', null)
}

export async function findClient(db: ReadDb, developer_id: string, client_id: string): Promise<ClientRow | undefined> {
  return await present(db)
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
}

/** Locks the row against updates, but not against rows that reference it, so that sign-ins continue (`for no key update`). */
export async function findClientForUpdate(
  db: Db,
  developer_id: string,
  client_id: string,
): Promise<ClientRow | undefined> {
  return await present(db)
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('client_id', '=', client_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks the clients of a developer account, or one of them. */
export async function listClientsForUpdate(db: Db, developer_id: string, client_id?: string): Promise<ClientRow[]> {
  let query = present(db).selectAll().where('developer_id', '=', developer_id)
  if (client_id !== undefined) query = query.where('client_id', '=', client_id)
  return await query.orderBy('client_id').forNoKeyUpdate().execute()
}

const enabledForUpdate = prepare((db, { client_id }: { client_id: string }) =>
  db.selectFrom('clients').select('enabled').where('client_id', '=', client_id).forNoKeyUpdate(),
)

/**
 * Whether the client exists and is enabled. Locks the row until the transaction ends, so that a transaction that disables the client
 * finds what this one has created.
 */
export async function isEnabledForUpdate(db: Db, client_id: string): Promise<boolean> {
  return (await enabledForUpdate.first(db, { client_id }))?.enabled === 1
}

const holdsWhenEnabled = prepare((db, { client_id }: { client_id: string }) =>
  db
    .selectFrom('clients')
    .select((e) => e('enabled', '=', 1).as('holds'))
    .where('client_id', '=', client_id)
    .forNoKeyUpdate(),
)

/** `isEnabledForUpdate` as a guard. */
export function enabledGuard(client_id: string): Guard {
  return { statement: holdsWhenEnabled.with({ client_id }), missing: false }
}

/**
 * Locks clients against everything, also against rows that come to reference them, in the order of their ids. Returns those that
 * exist.
 */
export async function selectClientsForUpdate(db: Db, client_ids: readonly string[]): Promise<string[]> {
  const query = db.selectFrom('clients').select('client_id').orderBy('client_id').forUpdate()
  const rows = await inBatches(client_ids.toSorted(), (some) => query.where('client_id', 'in', some).execute())
  return rows.map(({ client_id }) => client_id)
}

/** Locks the row against deletion, but not against updates (`for key share`). */
export async function findClientForShare(db: Db, client_id: string): Promise<Pick<ClientRow, 'client_id'> | undefined> {
  return await present(db).select('client_id').where('client_id', '=', client_id).forKeyShare().executeTakeFirst()
}

/** Finds a client of any developer account. */
export async function findClientById(db: ReadDb, client_id: string): Promise<ClientRow | undefined> {
  return await present(db).selectAll().where('client_id', '=', client_id).executeTakeFirst()
}

/** `findClientById`; locks the row like `findClientForUpdate`. */
export async function findClientByIdForUpdate(db: Db, client_id: string): Promise<ClientRow | undefined> {
  return await present(db).selectAll().where('client_id', '=', client_id).forNoKeyUpdate().executeTakeFirst()
}

export async function listClientsById(db: ReadDb, client_ids: readonly string[]): Promise<ClientRow[]> {
  return await inBatches(client_ids, (some) => present(db).selectAll().where('client_id', 'in', some).execute())
}

/** Position after which the next page begins. */
export type ClientCursor = { client_id: string; place: string }

type ClientPage = {
  /** Folded text that the name contains. */
  matching: string | undefined
  enabled: boolean | undefined
  sort: 'name' | 'newest'
  after: ClientCursor | undefined
  limit: number
}

/** Lists one page of the clients of a developer account. */
export async function listClients(db: ReadDb, developer_id: string, page: ClientPage): Promise<ClientRow[]> {
  const { matching, enabled, after } = page
  const [column, order, beyond] =
    page.sort === 'name' ? (['sort_name', 'asc', '>'] as const) : (['created_at', 'desc', '<'] as const)
  let query = present(db)
    .selectAll()
    .where('developer_id', '=', developer_id)
    .orderBy(column, order)
    .orderBy('client_id', order)
    .limit(page.limit)
  if (matching) query = query.where(sql<SqlBool>`sort_name like ${anywhere(matching)} escape '\\'`)
  if (enabled !== undefined) query = query.where('enabled', '=', toFlag(enabled))
  if (after) {
    // The first condition is redundant; it lets the database start the index scan at the cursor.
    query = query
      .where(column, beyond === '>' ? '>=' : '<=', after.place)
      .where((e) => e.or([e(column, beyond, after.place), e('client_id', beyond, after.client_id)]))
  }
  return await query.execute()
}

/**
 * Clients that members of a developer account may see in lists of all clients: the own, and of others those that can be used. One that
 * waits for approval or was rejected has a name that nobody has checked.
 */
export function ownOrEnabled(developer_id: string) {
  return (e: ExpressionBuilder<Pick<Database, 'clients'>, 'clients'>) =>
    e.or([e('clients.enabled', '=', toFlag(true)), e('clients.developer_id', '=', developer_id)])
}

/** Lists one page of the clients (`ownOrEnabled`) whose folded name matches the `LIKE` pattern, by name. */
export async function listClientsByName(
  db: ReadDb,
  pattern: string,
  { developer_id, after, limit }: { developer_id: string; after: ClientCursor | undefined; limit: number },
): Promise<ClientRow[]> {
  let query = present(db)
    .selectAll()
    .where(sql<boolean>`sort_name like ${pattern} escape '\\'`)
    .where('developer_id', '!=', UNREGISTERED)
    .where(ownOrEnabled(developer_id))
    .orderBy('sort_name')
    .orderBy('client_id')
    .limit(limit)
  if (after) {
    query = query
      .where('sort_name', '>=', after.place)
      .where((e) => e.or([e('sort_name', '>', after.place), e('client_id', '>', after.client_id)]))
  }
  return await query.execute()
}

export async function countClients(db: ReadDb, developer_id: string): Promise<number> {
  const query = present(db)
    .select((e) => e.fn.countAll().as('clients'))
    .where('developer_id', '=', developer_id)
  return Number((await query.executeTakeFirstOrThrow()).clients)
}

/** One that is enabled while its tokens are being deleted gets new ones; those until now have ended. */
export async function updateClient(
  db: Db,
  { client_id, developer_id }: ClientKey,
  changes: ClientChanges & Pick<ClientRow, 'updated_at'>,
): Promise<void> {
  const { enabled, updated_at } = changes
  const later = sql<string>`case when tokens_ended_at < ${updated_at} then ${updated_at} else tokens_ended_at end`
  await db
    .updateTable('clients')
    .set(enabled === 1 ? { ...changes, tokens_ended_at: later } : changes)
    .where('client_id', '=', client_id)
    .where('developer_id', '=', developer_id)
    .execute()
}

/** Lets the tokens that are not newer than this time end. */
export async function updateTokensEndedAt(db: Db, client_id: string, tokens_ended_at: string): Promise<void> {
  await db.updateTable('clients').set({ tokens_ended_at }).where('client_id', '=', client_id).execute()
}

/** Ends the JWT access tokens of a client, which have no rows. */
export async function incrementTokenGenerationOfClient(db: Db, client_id: string): Promise<void> {
  await db
    .updateTable('clients')
    .set((e) => ({ token_generation: e('token_generation', '+', 1) }))
    .where('client_id', '=', client_id)
    .execute()
}

/** Notes that the tokens until this time are deleted. Returns false when others have ended meanwhile. */
export async function clearTokensEndedAt(db: Db, client_id: string, until: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clients')
    .set({ tokens_ended_at: null })
    .where('client_id', '=', client_id)
    .where('tokens_ended_at', '=', until)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Until when the tokens of a client have ended that are not deleted yet. */
export async function findTokensEndedAt(db: ReadDb, client_id: string): Promise<string | undefined> {
  const query = db.selectFrom('clients').select('tokens_ended_at').where('client_id', '=', client_id)
  return (await query.executeTakeFirst())?.tokens_ended_at ?? undefined
}

/** Locks a client and returns which of its tokens have ended and are not deleted yet: until a time, or all while it is disabled. */
export async function findTokensEndedForUpdate(
  db: Db,
  client_id: string,
): Promise<{ until: string; all: boolean } | undefined> {
  const row = await db
    .selectFrom('clients')
    .select(['tokens_ended_at', 'enabled'])
    .where('client_id', '=', client_id)
    .where('tokens_ended_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.tokens_ended_at ? { until: row.tokens_ended_at, all: row.enabled === 0 } : undefined
}

/** Lists the clients with tokens that have ended and are not deleted yet. */
export async function listClientsWithEndedTokens(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('clients').select('client_id').where('tokens_ended_at', 'is not', null).execute()
  return rows.map(({ client_id }) => client_id)
}

/** The change of the rule that is not in all connections of a client yet. */
export async function findAccessChange(db: ReadDb, client_id: string): Promise<string | undefined> {
  const query = db.selectFrom('clients').select('access_change').where('client_id', '=', client_id)
  return (await query.executeTakeFirst())?.access_change ?? undefined
}

/** The same; locks the client against everything. */
export async function findAccessChangeForUpdate(db: Db, client_id: string): Promise<string | undefined> {
  const query = db.selectFrom('clients').select('access_change').where('client_id', '=', client_id).forUpdate()
  return (await query.executeTakeFirst())?.access_change ?? undefined
}

export async function updateAccessChange(db: Db, client_id: string, access_change: string): Promise<void> {
  await db.updateTable('clients').set({ access_change }).where('client_id', '=', client_id).execute()
}

/** Notes that all connections have a change. Does nothing when the rule has changed again. */
export async function clearAccessChange(db: Db, client_id: string, change: string): Promise<void> {
  await db
    .updateTable('clients')
    .set({ access_change: null })
    .where('client_id', '=', client_id)
    .where('access_change', '=', change)
    .execute()
}

/** Lists the clients with a change of the rule that is not in all connections yet. */
export async function listClientsWithAccessChange(db: ReadDb): Promise<string[]> {
  const rows = await db.selectFrom('clients').select('client_id').where('access_change', 'is not', null).execute()
  return rows.map(({ client_id }) => client_id)
}

/** Updates the last use, unless the secret was replaced or another process has updated it after `before`. */
type SecretUse = Pick<ClientRow, 'client_id' | 'secret_hash'> & { now: string; before: string }

export const secretLastUsed = prepare((db, { client_id, secret_hash, now, before }: SecretUse) =>
  db
    .updateTable('clients')
    .set({ secret_last_used_at: now })
    .where('client_id', '=', client_id)
    .where('secret_hash', '=', secret_hash)
    .where((e) => e.or([e('secret_last_used_at', 'is', null), e('secret_last_used_at', '<=', before)])),
)

/** Returns false when the client had a first sign-in already. */
export async function updateFirstSignIn(db: Db, client_id: string, first_sign_in_at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clients')
    .set({ first_sign_in_at })
    .where('client_id', '=', client_id)
    .where('first_sign_in_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

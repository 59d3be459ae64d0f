import type { Db, ReadDb } from '../../db/open.ts'
import type { DeveloperUsersTable } from '../../db/schema.ts'
import { inBatches } from '../../lib/batches.ts'

export type DeveloperUserRow = DeveloperUsersTable

/**
 * Lists the connections of users with the clients of a developer account, or with one of them; newest first. Two queries,
 * users first: a join can make the database read all connections of a popular client.
 */
export async function listGrantedClients(
  db: ReadDb,
  { developer_id, client_id }: { developer_id: string; client_id?: string | undefined },
  user_ids: readonly string[],
) {
  if (user_ids.length === 0) return []
  const rows = await db
    .selectFrom('connections')
    .select(['id', 'user_id', 'client_id', 'scopes', 'created_at as connected_at', 'last_used_at', 'sort_name'])
    .where('user_id', 'in', user_ids)
    .execute()
  const ids = [...new Set(rows.map((row) => row.client_id))].filter((one) => !client_id || one === client_id)
  const query = db
    .selectFrom('clients')
    .select(['client_id', 'name', 'icon', 'scopes as client_scopes', 'sector_identifier'])
    .where('developer_id', '=', developer_id)
    .where('deleted_at', 'is', null)
  const clients = await inBatches(ids, (some) => query.where('client_id', 'in', some).execute())
  const byId = new Map(clients.map((client) => [client.client_id, client]))
  return rows
    .flatMap((row) => {
      const client = byId.get(row.client_id)
      return client ? [{ ...row, ...client }] : []
    })
    .sort((a, b) => (isNewer(a, b) ? -1 : 1))
}

/** Ordered by time first, because a connection whose tokens have been ended has a new id. */
function isNewer(a: { connected_at: string; id: string }, b: { connected_at: string; id: string }): boolean {
  return a.connected_at === b.connected_at ? a.id > b.id : a.connected_at > b.connected_at
}

export type GrantedClient = Awaited<ReturnType<typeof listGrantedClients>>[number]

export async function listDeveloperUsers(
  db: ReadDb,
  developer_id: string,
  user_ids: readonly string[],
): Promise<DeveloperUserRow[]> {
  if (user_ids.length === 0) return []
  return await db
    .selectFrom('developer_users')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('user_id', 'in', user_ids)
    .execute()
}

/** Lists the ids of the developer accounts that have the user. */
export async function listDevelopersOfUser(db: ReadDb, user_id: string): Promise<string[]> {
  const rows = await db.selectFrom('developer_users').select('developer_id').where('user_id', '=', user_id).execute()
  return rows.map(({ developer_id }) => developer_id)
}

/** Returns the id of the developer account of a client. */
export async function findDeveloperOfClient(db: ReadDb, client_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('clients')
    .select('developer_id')
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row?.developer_id
}

/** Inserts the row if there is none, and locks it. */
export async function upsertDeveloperUserForUpdate(db: Db, row: DeveloperUserRow): Promise<DeveloperUserRow> {
  return await db
    .insertInto('developer_users')
    .values(row)
    // Updates a column to its own value in order to lock the row.
    .onConflict((c) =>
      c.columns(['developer_id', 'user_id']).doUpdateSet((e) => ({ blocked_at: e.ref('developer_users.blocked_at') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the row unless the user is blocked; foreign keys delete the search terms. */
export async function deleteDeveloperUser(db: Db, developer_id: string, user_id: string): Promise<void> {
  await db
    .deleteFrom('developer_users')
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
    .where('blocked_at', 'is', null)
    .execute()
}

/** Locks the rows of all users of an organization. */
export async function selectAllDeveloperUsersForUpdate(db: Db, developer_id: string): Promise<void> {
  await selectForUpdate(db, developer_id).execute()
}

/** Deletes up to `most` rows of an organization that is being deleted, and returns their number. */
export async function deleteSomeDeveloperUsers(db: Db, developer_id: string, most: number): Promise<number> {
  const some = db.selectFrom('developer_users').select('user_id').where('developer_id', '=', developer_id).limit(most)
  const { numDeletedRows } = await db
    .deleteFrom('developer_users')
    .where('developer_id', '=', developer_id)
    .where('user_id', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Locks the rows of users. */
export async function selectDeveloperUsersForUpdate(
  db: Db,
  developer_id: string,
  user_ids: readonly string[],
): Promise<void> {
  if (user_ids.length === 0) return
  await selectForUpdate(db, developer_id).where('user_id', 'in', user_ids).execute()
}

function selectForUpdate(db: Db, developer_id: string) {
  return db
    .selectFrom('developer_users')
    .select('user_id')
    .where('developer_id', '=', developer_id)
    .orderBy('user_id')
    .forUpdate()
}

/** Deletes the rows of those of the users whose only connection is with this client, unless they are blocked. */
export async function deleteDeveloperUsersOfClient(
  db: Db,
  { developer_id, client_id }: { developer_id: string; client_id: string },
  user_ids: readonly string[],
): Promise<void> {
  if (user_ids.length === 0) return
  await db
    .deleteFrom('developer_users')
    .where('developer_id', '=', developer_id)
    .where('user_id', 'in', user_ids)
    .where('blocked_at', 'is', null)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('connections')
            .innerJoin('clients', 'clients.client_id', 'connections.client_id')
            .select('connections.id')
            .whereRef('connections.user_id', '=', 'developer_users.user_id')
            .where('connections.client_id', '!=', client_id)
            .where('clients.developer_id', '=', developer_id),
        ),
      ),
    )
    .execute()
}

export async function replaceSearchTerms(
  db: Db,
  developer_id: string,
  user_id: string,
  terms: readonly string[],
): Promise<void> {
  await db.deleteFrom('user_terms').where('developer_id', '=', developer_id).where('user_id', '=', user_id).execute()
  if (terms.length === 0) return
  await db
    .insertInto('user_terms')
    .values(terms.map((term) => ({ developer_id, user_id, term })))
    .execute()
}

/** Sets the name by which the user is sorted, also on these connections, in the order of their ids. */
export async function updateSortName(
  db: Db,
  { developer_id, user_id }: Pick<DeveloperUserRow, 'developer_id' | 'user_id'>,
  sort_name: string,
  connection_ids: readonly string[],
): Promise<void> {
  await db
    .updateTable('developer_users')
    .set({ sort_name })
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
    .execute()
  for (const id of connection_ids.toSorted())
    await db.updateTable('connections').set({ sort_name }).where('id', '=', id).execute()
}

/** Sets the name on up to `limit` connections that lack it. Returns how many lacked it. */
export async function fillSortNames(db: Db, nameless: string, limit: number): Promise<number> {
  const unnamed = await db.selectFrom('connections').select('id').where('sort_name', 'is', null).limit(limit).execute()
  if (unnamed.length === 0) return 0
  await db
    .updateTable('connections')
    .set((e) => ({
      sort_name: e.fn.coalesce(
        e
          .selectFrom('developer_users')
          .innerJoin('clients', 'clients.developer_id', 'developer_users.developer_id')
          .select('developer_users.sort_name')
          .whereRef('clients.client_id', '=', 'connections.client_id')
          .whereRef('developer_users.user_id', '=', 'connections.user_id'),
        e.val(nameless),
      ),
    }))
    .where(
      'id',
      'in',
      unnamed.map(({ id }) => id),
    )
    // A change of the name since then has set the new one.
    .where('sort_name', 'is', null)
    .execute()
  return unnamed.length
}

function selectBlock(db: ReadDb, developer_id: string, user_id: string) {
  return db
    .selectFrom('developer_users')
    .select('blocked_at')
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
}

/** Returns whether the developer account has blocked the user; also for users without a connection. */
export async function isUserBlocked(db: ReadDb, developer_id: string, user_id: string): Promise<boolean> {
  return (await selectBlock(db, developer_id, user_id).executeTakeFirst())?.blocked_at != null
}

/** `isUserBlocked`, which stays what it is until the transaction ends: blocking and unblocking lock the same row. */
export async function isUserBlockedForShare(db: Db, developer_id: string, user_id: string): Promise<boolean> {
  return (await selectBlock(db, developer_id, user_id).forShare().executeTakeFirst())?.blocked_at != null
}

/** Finds and locks the row of a user. */
export async function findDeveloperUserForUpdate(
  db: Db,
  developer_id: string,
  user_id: string,
): Promise<DeveloperUserRow | undefined> {
  return await db
    .selectFrom('developer_users')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Sets the block on the row and on all connections with clients of the developer account. Returns the ids of the connections. */
export async function updateBlockedAt(
  db: Db,
  developer_id: string,
  user_id: string,
  blocked_at: string | null,
): Promise<string[]> {
  await db
    .updateTable('developer_users')
    .set({ blocked_at })
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
    .execute()
  const rows = await db
    .updateTable('connections')
    .set({ blocked_at })
    .where('user_id', '=', user_id)
    .where('client_id', 'in', (e) =>
      e.selectFrom('clients').select('client_id').where('developer_id', '=', developer_id),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

import type { Db, ReadDb } from '../../db/open.ts'
import type { DeveloperUsersTable } from '../../db/schema.ts'

/**
 * People as an organisation sees them: by its apps. Whose an app is stands in `clients`, which is joined here, since a
 * list of a thousand apps cannot be handed into every query.
 */

export type DeveloperUserRow = DeveloperUsersTable
/** Somebody on a page, and the place behind which the next page begins. */
export type Found = { user_id: string; place: string }

type Page = { after: string | undefined; limit: number }

/** Everybody, whoever came last first. */
export async function listNewest(db: ReadDb, developer_id: string, { after, limit }: Page): Promise<Found[]> {
  let query = db
    .selectFrom('developer_users')
    .select(['user_id', 'id as place'])
    .where('developer_id', '=', developer_id)
    .orderBy('id', 'desc')
    .limit(limit)
  if (after !== undefined) query = query.where('id', '<', after)
  return await query.execute()
}

/** Everybody of one app, whoever was connected last first. */
export async function listNewestOf(db: ReadDb, client_id: string, { after, limit }: Page): Promise<Found[]> {
  let query = db
    .selectFrom('connections')
    .select(['user_id', 'id as place'])
    .where('client_id', '=', client_id)
    .orderBy('id', 'desc')
    .limit(limit)
  if (after !== undefined) query = query.where('id', '<', after)
  return await query.execute()
}

/** Above every term that begins like this, byte by byte. */
const HIGHEST = '\u{10ffff}'

/** Where a search goes on: behind this person, found by this term. */
export type SearchPlace = { term: string; user_id: string }

/**
 * Who has a term that begins with `word`, and one for each of the `others`; by the first such term, each once. Walks down
 * the index of terms, so that a page costs the same whatever the number of people.
 */
export async function listMatching(
  db: ReadDb,
  { developer_id, client_id, word, others }: Search,
  { after, limit }: { after: SearchPlace | undefined; limit: number },
): Promise<SearchPlace[]> {
  let query = db
    .selectFrom('user_terms as t')
    .select(['t.term', 't.user_id'])
    .where('t.developer_id', '=', developer_id)
    .where('t.term', '>=', after?.term ?? word)
    .where('t.term', '<', word + HIGHEST)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('user_terms as earlier')
            .select('earlier.term')
            .where('earlier.developer_id', '=', developer_id)
            .whereRef('earlier.user_id', '=', 't.user_id')
            .where('earlier.term', '>=', word)
            .whereRef('earlier.term', '<', 't.term'),
        ),
      ),
    )
    .orderBy('t.term')
    .orderBy('t.user_id')
    .limit(limit)
  if (after) {
    query = query.where((e) => e.or([e('t.term', '>', after.term), e('t.user_id', '>', after.user_id)]))
  }
  if (client_id) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('connections')
          .select('connections.id')
          .whereRef('connections.user_id', '=', 't.user_id')
          .where('connections.client_id', '=', client_id),
      ),
    )
  }
  for (const other of others) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('user_terms as other')
          .select('other.term')
          .where('other.developer_id', '=', developer_id)
          .whereRef('other.user_id', '=', 't.user_id')
          .where('other.term', '>=', other)
          .where('other.term', '<', other + HIGHEST),
      ),
    )
  }
  return await query.execute()
}

export type Search = { developer_id: string; client_id: string | undefined; word: string; others: string[] }

/**
 * What these people allow the organisation's apps, or one of them; newest first. Asked by person first, and by app only
 * then: a database that begins with a popular app reads everybody who uses it.
 */
export async function listAllowances(
  db: ReadDb,
  { developer_id, client_id }: { developer_id: string; client_id?: string | undefined },
  user_ids: readonly string[],
) {
  if (user_ids.length === 0) return []
  const rows = await db
    .selectFrom('connections')
    .select(['id', 'user_id', 'client_id', 'scopes', 'created_at as connected_at', 'last_used_at'])
    .where('user_id', 'in', user_ids)
    .execute()
  const ids = [...new Set(rows.map((row) => row.client_id))].filter((one) => !client_id || one === client_id)
  if (ids.length === 0) return []
  const clients = await db
    .selectFrom('clients')
    .select(['client_id', 'name', 'icon', 'scopes as client_scopes'])
    .where('client_id', 'in', ids)
    .where('developer_id', '=', developer_id)
    .execute()
  const byId = new Map(clients.map((client) => [client.client_id, client]))
  return rows
    .flatMap((row) => {
      const client = byId.get(row.client_id)
      return client ? [{ ...row, ...client }] : []
    })
    .sort((a, b) => (a.id < b.id ? 1 : -1))
}

export type Allowance = Awaited<ReturnType<typeof listAllowances>>[number]

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

/** Organisations that know this person. */
export async function listDevelopersKnowing(db: ReadDb, user_id: string): Promise<string[]> {
  const rows = await db.selectFrom('developer_users').select('developer_id').where('user_id', '=', user_id).execute()
  return rows.map(({ developer_id }) => developer_id)
}

/** Whose an app is. */
export async function developerOfClient(db: ReadDb, client_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('clients')
    .select('developer_id')
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row?.developer_id
}

/** Puts somebody on the list, if they do not stand there, and holds their row until the transaction has ended. */
export async function holdDeveloperUser(db: Db, row: DeveloperUserRow): Promise<DeveloperUserRow> {
  return await db
    .insertInto('developer_users')
    .values(row)
    // Changes nothing, but holds it.
    .onConflict((c) =>
      c.columns(['developer_id', 'user_id']).doUpdateSet((e) => ({ blocked_at: e.ref('developer_users.blocked_at') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** With the terms by which they are found. Somebody blocked stays. */
export async function deleteDeveloperUser(db: Db, developer_id: string, user_id: string): Promise<void> {
  await db
    .deleteFrom('developer_users')
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
    .where('blocked_at', 'is', null)
    .execute()
}

/** Lines of all who are connected to the app, held until the transaction has ended. */
export async function holdUsersOfClient(db: Db, developer_id: string, client_id: string): Promise<void> {
  await db
    .selectFrom('developer_users')
    .select('user_id')
    .where('developer_id', '=', developer_id)
    .where('user_id', 'in', (e) => e.selectFrom('connections').select('user_id').where('client_id', '=', client_id))
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

/** Those whom the organisation knows by this app alone leave its list; for an app that is about to go. */
export async function deleteUsersOfClient(db: Db, developer_id: string, client_id: string): Promise<void> {
  await db
    .deleteFrom('developer_users')
    .where('developer_id', '=', developer_id)
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

export async function replaceTerms(
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

export async function isBlocked(db: ReadDb, developer_id: string, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('developer_users')
    .select('blocked_at')
    .where('developer_id', '=', developer_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.blocked_at != null
}

/** The row as it was, held until the transaction has ended; undefined for somebody whom the organisation does not know. */
export async function lockDeveloperUser(
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

/** On the list, and on every connection to the organisation's apps; answers the ids of these. */
export async function setBlockedAt(
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

import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Db, ReadDb } from '../../db/open.ts'
import type { ClientKey, ClientPlace, ClientRow } from './store.ts'

/** Takes the first word of scopes for an app; false when another app has it, and nothing more can be done then. */
export async function takePrefix(db: Db, { client_id, developer_id }: ClientKey, prefix: string): Promise<boolean> {
  const update = db
    .updateTable('clients')
    .set({ scope_prefix: prefix })
    .where('client_id', '=', client_id)
    .where('developer_id', '=', developer_id)
    .execute()
  return await update.then(
    () => true,
    (error: unknown) => {
      if (isUniqueViolation(error)) return false
      throw error
    },
  )
}

/** First words of scopes, in their order; one page. Apps that have one and define nothing are left out. */
export async function listPrefixes(db: ReadDb, page: { after: string | undefined; limit: number }) {
  let query = db
    .selectFrom('clients')
    .select(['client_id', 'scope_prefix'])
    .where('scope_prefix', 'is not', null)
    .where((e) => e.exists(e.selectFrom('scopes').select('key').whereRef('scopes.client_id', '=', 'clients.client_id')))
    .orderBy('scope_prefix')
    .limit(page.limit)
  if (page.after !== undefined) query = query.where('scope_prefix', '>', page.after)
  return (await query.$narrowType<{ scope_prefix: string }>().execute()) as {
    client_id: string
    scope_prefix: string
  }[]
}

export async function findByPrefix(db: ReadDb, prefix: string): Promise<string | undefined> {
  const query = db.selectFrom('clients').select('client_id').where('scope_prefix', '=', prefix)
  return (await query.executeTakeFirst())?.client_id
}

/** Apps of anybody whose folded name is like this pattern of `LIKE`, by name; one page, read by key. */
export async function listClientsNamed(
  db: ReadDb,
  pattern: string,
  { after, limit }: { after: ClientPlace | undefined; limit: number },
): Promise<ClientRow[]> {
  let query = db
    .selectFrom('clients')
    .selectAll()
    .where(sql<boolean>`sort_name like ${pattern} escape '\\'`)
    .orderBy('sort_name')
    .orderBy('client_id')
    .limit(limit)
  if (after) {
    query = query
      .where('sort_name', '>=', after.sort_name)
      .where((e) => e.or([e('sort_name', '>', after.sort_name), e('client_id', '>', after.client_id)]))
  }
  return await query.execute()
}

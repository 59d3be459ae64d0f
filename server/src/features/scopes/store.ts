import type { ReadDb } from '../../db/open.ts'

/** Lists one page of the scope prefixes of clients that define scopes. */
export async function listScopePrefixes(db: ReadDb, page: { after: string | undefined; limit: number }) {
  let query = db
    .selectFrom('clients')
    .select(['client_id', 'scope_prefix'])
    .where('scope_prefix', 'is not', null)
    .where('deleted_at', 'is', null)
    .where((e) =>
      e.exists(
        e
          .selectFrom('scopes')
          .select('key')
          .whereRef('scopes.client_id', '=', 'clients.client_id')
          .where('scopes.deleted_at', 'is', null),
      ),
    )
    .orderBy('scope_prefix')
    .limit(page.limit)
  if (page.after !== undefined) query = query.where('scope_prefix', '>', page.after)
  return (await query.$narrowType<{ scope_prefix: string }>().execute()) as {
    client_id: string
    scope_prefix: string
  }[]
}

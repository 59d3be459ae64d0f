import { sql } from 'kysely'
import type { ReadDb } from '../../db/open.ts'
import { ownOrEnabled } from '../clients/public.ts'
import type { ScopeRow } from '../scope-catalog/public.ts'

type Page = { after: string | undefined; limit: number }

/** Clients whose scopes members of a developer account see. */
const visibleClients = (db: ReadDb, developer_id: string) =>
  db.selectFrom('clients').where('clients.deleted_at', 'is', null).where(ownOrEnabled(developer_id))

/** Lists one page of the scope prefixes of visible clients that define scopes. */
export async function listScopePrefixes(db: ReadDb, developer_id: string, page: Page) {
  let query = visibleClients(db, developer_id)
    .select(['client_id', 'scope_prefix'])
    .where('scope_prefix', 'is not', null)
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

/** Lists one page of the scopes of visible clients by key. `pattern` is a `LIKE` pattern on key and texts. */
export async function listScopes(
  db: ReadDb,
  developer_id: string,
  page: Page & { pattern: string | undefined },
): Promise<ScopeRow[]> {
  let query = visibleClients(db, developer_id)
    .innerJoin('scopes', 'scopes.client_id', 'clients.client_id')
    .selectAll('scopes')
    .where('scopes.deleted_at', 'is', null)
    .orderBy('scopes.key')
    .limit(page.limit)
  if (page.after !== undefined) query = query.where('scopes.key', '>', page.after)
  if (page.pattern !== undefined) query = query.where(sql<boolean>`scopes.search like ${page.pattern} escape '\\'`)
  return await query.execute()
}

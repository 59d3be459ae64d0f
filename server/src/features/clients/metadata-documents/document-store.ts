import type { ExpressionBuilder } from 'kysely'
import type { Db, ReadDb } from '../../../db/open.ts'
import type { ClientMetadataDocumentsTable, Database } from '../../../db/schema.ts'
import type { ClientChanges, ClientRow } from '../store.ts'

export async function findDocument(db: ReadDb, client_id: string): Promise<ClientMetadataDocumentsTable | undefined> {
  const query = db.selectFrom('client_metadata_documents').selectAll().where('client_id', '=', client_id)
  return await query.executeTakeFirst()
}

/** Returns false when the row is of a later time than `updated_at` of the changes, and stays. */
export async function upsertUnregisteredClient(
  db: Db,
  row: ClientRow,
  changes: ClientChanges & Pick<ClientRow, 'updated_at'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('clients')
    .values(row)
    .onConflict((c) => c.column('client_id').doUpdateSet(changes).where('clients.updated_at', '<=', changes.updated_at))
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function upsertDocument(db: Db, row: ClientMetadataDocumentsTable): Promise<void> {
  const { fetched_at, fresh_until } = row
  await db
    .insertInto('client_metadata_documents')
    .values(row)
    .onConflict((c) => c.column('client_id').doUpdateSet({ fetched_at, fresh_until }))
    .execute()
}

export async function countDocuments(db: ReadDb): Promise<number> {
  const query = db.selectFrom('client_metadata_documents').select((e) => e.fn.countAll().as('documents'))
  return Number((await query.executeTakeFirstOrThrow()).documents)
}

export async function countUnconnectedDocuments(db: ReadDb): Promise<number> {
  const query = db
    .selectFrom('client_metadata_documents')
    .innerJoin('clients', 'clients.client_id', 'client_metadata_documents.client_id')
    .select((e) => e.fn.countAll().as('documents'))
    .where(isUnconnected)
  return Number((await query.executeTakeFirstOrThrow()).documents)
}

/** Deletes clients without a connection whose document was fetched before these times, and returns their number. */
export async function deleteUnusedDocuments(
  db: Db,
  before: { unused: string; used: string },
  most: number,
): Promise<number> {
  const unused = await db
    .selectFrom('client_metadata_documents')
    .innerJoin('clients', 'clients.client_id', 'client_metadata_documents.client_id')
    .select('clients.client_id')
    .where((e) =>
      e.or([
        e.and([e('clients.first_sign_in_at', 'is', null), e('fetched_at', '<', before.unused)]),
        e('fetched_at', '<', before.used),
      ]),
    )
    .where(isUnconnected)
    .orderBy('fetched_at')
    .limit(most)
    .forUpdate('clients')
    .execute()
  if (unused.length === 0) return 0
  const ids = unused.map(({ client_id }) => client_id)
  // Consents that had begun are committed now, and a statement of its own sees them.
  const { numDeletedRows } = await db
    .deleteFrom('clients')
    .where('client_id', 'in', ids)
    .where(isUnconnected)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const isUnconnected = (e: ExpressionBuilder<Database, 'clients'>) =>
  e.not(e.exists(e.selectFrom('connections').select('id').whereRef('connections.client_id', '=', 'clients.client_id')))

import { type Kysely, sql } from 'kysely'

/**
 * Clients that are identified by a metadata document which they publish. They are rows of `clients`, so that connections,
 * tokens and revocation treat them as any other; a developer account without members stands in for the missing one.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('client_metadata_documents')
    .addColumn('client_id', 'text', (c) => c.primaryKey().references('clients.client_id').onDelete('cascade'))
    .addColumn('fetched_at', 'text', (c) => c.notNull())
    .addColumn('fresh_until', 'text', (c) => c.notNull())
    .execute()
  await schema
    .createIndex('client_metadata_documents_fetched_at')
    .on('client_metadata_documents')
    .column('fetched_at')
    .execute()
  await sql`insert into developers (id, name, created_at) values ('unregistered', '', '2026-11-22T00:00:00.000Z')`.execute(
    db,
  )
}

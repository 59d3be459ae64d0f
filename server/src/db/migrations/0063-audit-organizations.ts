import type { Kysely } from 'kysely'

/** The organization in which something happened, for the events of owners. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('audit_events').addColumn('organization_id', 'text').execute()
  await db.schema
    .createIndex('audit_events_organization_id')
    .on('audit_events')
    .columns(['organization_id', 'position'])
    .execute()
}

import type { Kysely } from 'kysely'

/** Counters of mails that strangers cause, and an index for noticing changes of the scope catalog. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('mail_counts')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('sent', 'integer', (c) => c.notNull())
    .addColumn('until', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('mail_counts_until').on('mail_counts').column('until').execute()
  await schema.createIndex('scopes_created_at').on('scopes').column('created_at').execute()
}

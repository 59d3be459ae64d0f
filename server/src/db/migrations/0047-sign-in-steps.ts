import type { Kysely } from 'kysely'

/** Step that a session must take first, and the terms of use that people have accepted. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('sessions').addColumn('next_step', 'text').execute()
  await schema
    .createTable('accepted_terms')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('accepted_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('accepted_terms_pk', ['user_id', 'version'])
    .execute()
}

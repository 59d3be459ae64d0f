import type { Kysely } from 'kysely'

/** Requests of operators to remove the second factor and the passkeys of a person, who can stop them. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('factor_resets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('requested_by', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('requested_by_command', 'text')
    .addColumn('requested_at', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('ended_as', 'text')
    .addColumn('ended_at', 'text')
    .execute()
  await schema.createIndex('factor_resets_user').on('factor_resets').column('user_id').execute()
  // Foreign keys are looked up when an account is deleted.
  await schema.createIndex('factor_resets_requested_by').on('factor_resets').column('requested_by').execute()
}

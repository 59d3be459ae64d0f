import type { Kysely } from 'kysely'

/** Invitations to developer accounts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('developer_id', 'text', (c) => c.notNull().references('developers.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('permission', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('invited_by', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('ended_as', 'text')
    .execute()
  // The second of two simultaneous invitations of the same address waits.
  await db.schema
    .createIndex('invitations_waiting')
    .on('invitations')
    .columns(['developer_id', 'email'])
    .unique()
    .where('ended_as' as never, 'is', null)
    .execute()
  // For the list, and for how many were made in a day.
  await db.schema
    .createIndex('invitations_of_developer')
    .on('invitations')
    .columns(['developer_id', 'created_at'])
    .execute()
  await db.schema.createIndex('invitations_to').on('invitations').column('email').execute()
  await db.schema.createIndex('invitations_expiry').on('invitations').column('expires_at').execute()
  // For the deletion of an account.
  await db.schema.createIndex('invitations_by').on('invitations').column('invited_by').execute()
}

import type { Kysely } from 'kysely'

/** Pictures that were sent, archives that were asked for, accounts that are about to be deleted. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db

  await schema
    .createTable('pictures')
    .addColumn('file', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('kept_at', 'text')
    .addColumn('dropped_at', 'text')
    .execute()
  await schema.createIndex('pictures_of_user').on('pictures').columns(['user_id', 'created_at']).execute()
  await schema
    .createIndex('pictures_unkept')
    .on('pictures')
    .column('created_at')
    .where('kept_at' as never, 'is', null)
    .execute()
  await schema
    .createIndex('pictures_dropped')
    .on('pictures')
    .column('dropped_at')
    .where('dropped_at' as never, 'is not', null)
    .execute()

  await schema
    .createTable('data_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('parts', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('file', 'text')
    .addColumn('bytes', 'integer')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ready_until', 'text')
    .execute()
  await schema.createIndex('data_requests_of_user').on('data_requests').columns(['user_id', 'id']).execute()
  // Only one of two simultaneous requests runs.
  await schema
    .createIndex('data_requests_running')
    .on('data_requests')
    .column('user_id')
    .unique()
    .where('ready_until' as never, 'is', null)
    .execute()
  await schema.createIndex('data_requests_expiry').on('data_requests').column('ready_until').execute()

  await schema
    .createTable('account_deletions')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('requested_at', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('account_deletions_due').on('account_deletions').column('due_at').execute()
}

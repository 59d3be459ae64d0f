import type { Kysely } from 'kysely'

/** Which sessions began in a browser that the account did not know, and which apps were signed in to from each. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('unknown_since', 'text').execute()
  // Never written; read from the activities.
  await db.schema.alterTable('sessions').dropColumn('app').execute()
  await db.schema
    .createIndex('activities_of_session')
    .on('activities')
    .columns(['session_id', 'client_id', 'created_at'])
    .where('client_id' as never, 'is not', null)
    .execute()
}

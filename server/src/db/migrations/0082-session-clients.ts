import { type Kysely, sql } from 'kysely'

/** The clients that each session has signed in to, which hear of its end however long the activity is kept (decision 0042). */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('session_clients')
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('signed_in_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_clients_pk', ['session_id', 'client_id'])
    .execute()
  await sql`insert into session_clients (session_id, client_id, signed_in_at)
    select sessions.id, activities.client_id, max(activities.created_at)
    from sessions inner join activities on activities.session_id = sessions.id
    where sessions.ended_at is null and activities.client_id is not null and activities.type = 'LOGGED_IN_TO_APP'
    group by sessions.id, activities.client_id`.execute(db)
  // Each sign-in to an app wrote a page of it.
  await db.schema.dropIndex('activities_of_session').execute()
}

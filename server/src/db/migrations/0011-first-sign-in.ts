import { type Kysely, sql } from 'kysely'

/** The time of a client's first tokens; for existing clients, of their first connection. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('first_sign_in_at', 'text').execute()
  await sql`
    update clients set first_sign_in_at =
      (select min(created_at) from connections where connections.client_id = clients.client_id)
  `.execute(db)
}

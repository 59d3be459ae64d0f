import { type Kysely, sql } from 'kysely'

/** When an app first got tokens for somebody; of apps that are older than this note, when it was first allowed. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('clients').addColumn('first_sign_in_at', 'text').execute()
  await sql`
    update clients set first_sign_in_at =
      (select min(created_at) from connections where connections.client_id = clients.client_id)
  `.execute(db)
}

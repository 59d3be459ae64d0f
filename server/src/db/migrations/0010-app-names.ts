import { type Kysely, sql } from 'kysely'
import { folded } from '../search-text.ts'

/** Apps are sorted and searched by their folded name; and it is known when a secret was used last. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('clients').addColumn('secret_last_used_at', 'text').execute()
  await schema
    .alterTable('clients')
    .addColumn('sort_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const { rows } = await sql<{ client_id: string; name: string }>`select client_id, name from clients`.execute(db)
  for (const { client_id, name } of rows) {
    await sql`update clients set sort_name = ${folded(name)} where client_id = ${client_id}`.execute(db)
  }
  await schema.dropIndex('clients_of_developer').execute()
  await schema
    .createIndex('clients_by_name')
    .on('clients')
    .columns(['developer_id', 'sort_name', 'client_id'])
    .execute()
}

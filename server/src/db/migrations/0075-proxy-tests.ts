import type { Kysely } from 'kysely'

/** Tokens with which `vrata doctor` asks the running server how a request has arrived. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('proxy_tests')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
}

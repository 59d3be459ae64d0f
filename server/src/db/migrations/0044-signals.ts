import type { Kysely } from 'kysely'
import { bytewise } from '../dialect.ts'

/** Signals for servers that cannot listen, because a pooler is in front of PostgreSQL; unused on SQLite. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('signals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('sender', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', bytewise(db), (c) => c.notNull())
    .execute()
  await db.schema.createIndex('signals_created_at').on('signals').column('created_at').execute()
}

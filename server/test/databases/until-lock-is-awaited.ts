import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { partsOfHandle } from '../../src/db/compiled-queries/handle.ts'
import type { TestServer } from '../test-server.ts'

/**
 * Resolves when so many transactions wait for other ones on PostgreSQL; at once on SQLite, where all wait for the one writer.
 */
export async function untilLockIsAwaited({ store }: Pick<TestServer, 'store'>, waiting = 1): Promise<void> {
  if (partsOfHandle(store.db).engine === 'sqlite') return
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db)
    if (rows.length >= waiting) return
    await pause(10)
  }
}

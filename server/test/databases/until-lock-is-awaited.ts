import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { partsOfHandle } from '../../src/db/compiled-queries/handle.ts'
import type { TestServer } from '../test-server.ts'

/**
 * Resolves when so many transactions wait for other ones on PostgreSQL; at once on SQLite, where all wait for the one writer.
 */
export async function untilLockIsAwaited({ store }: Pick<TestServer, 'store'>, waiting = 1): Promise<void> {
  if (partsOfHandle(store.db).engine === 'sqlite') return
  // A read: other statements share connections with those that wait, and may be sent after one of them.
  const waits = store.read
    .selectFrom(sql`pg_stat_activity`.as('activity'))
    .select(sql`1`.as('one'))
    .where(sql<boolean>`datname = current_database() and wait_event_type = 'Lock'`)
  for (;;) {
    if ((await waits.execute()).length >= waiting) return
    await pause(10)
  }
}

import { sql } from 'kysely'
import type { Db } from '../../src/db/open.ts'

/** Breaks every other connection to this PostgreSQL database, as a restart does (57P01). */
export async function breakConnections(db: Db): Promise<void> {
  await sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
}

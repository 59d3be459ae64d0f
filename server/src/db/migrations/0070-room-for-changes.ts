import type { Kysely } from 'kysely'
import { leaveRoom } from '../dialect.ts'

/** A token is consumed once and a connection notes its last use, both in columns without an index (decision 0125). */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['tokens', 'connections']) await leaveRoom(db, table)
}

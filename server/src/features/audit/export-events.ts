import type { ReadDb } from '../../db/open.ts'
import { isAboutUser } from './list-audit.ts'
import { listEvents } from './store.ts'

/** Events per query. */
const BATCH = 500

/**
 * What the audit log has about a person, for a data archive, oldest first. Without who acted and from where: that is data of others
 * (operators §3).
 */
export async function* exportEventsAbout(db: ReadDb, user_id: string): AsyncGenerator<{ type: string; at: string }> {
  let after: number | undefined
  do {
    const rows = await listEvents(db, { subject: user_id }, { order: 'asc', after, limit: BATCH })
    for (const row of rows) if (isAboutUser(row)) yield { type: row.type, at: row.at }
    after = rows.length === BATCH ? rows.at(-1)?.position : undefined
  } while (after !== undefined)
}

import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import { findConnection, noteUse } from './store.ts'

/** What a person has allowed an app. The engine gives no more than this and what the app may still ask for. */
export type Connection = { id: string; scopes: string[] }

export async function connectionOf(db: ReadDb, user_id: string, client_id: string): Promise<Connection | undefined> {
  const row = await findConnection(db, user_id, client_id)
  return row && { id: row.id, scopes: fromJson<string[]>(row.scopes) }
}

/** Seconds within which a further use is not worth a write. */
const USE_NOTED_EVERY = 60

/** Notes that the app has used the connection; at most one write a minute. */
export async function touchConnection(db: Db, id: string, at: Date): Promise<void> {
  await noteUse(db, id, toTime(at), timeAfter(at, -USE_NOTED_EVERY))
}

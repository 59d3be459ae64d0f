import type { Db, ReadDb } from '../db/open.ts'

/** The activity list's view of sessions, which stand later in the line: auth/door.ts implements it. */
export interface LiveSessions {
  /** Those of a person's sessions that have not ended. */
  of(db: ReadDb | Db, user_id: string, now: Date): Promise<ReadonlySet<string>>
}

import type { Db, ReadDb } from '../db/open.ts'

export interface AppCard {
  client_id: string
  name: string
  icon: string | null
}

/** The activity list's view of apps, which stand later in the line: clients/door.ts implements it. */
export interface AppCards {
  /** Those of the ids that still exist. */
  of(db: ReadDb | Db, client_ids: string[]): Promise<AppCard[]>
}

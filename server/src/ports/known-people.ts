import type { ReadDb } from '../db/open.ts'

/** The organisation's view of the people of its apps, who stand later in the line: connections/door.ts implements it. */
export interface KnownPeople {
  /** Names, or else addresses, by id: what each of them lets the organisation see today, and nobody else's. */
  names(db: ReadDb, developer_id: string, user_ids: readonly string[]): Promise<Map<string, string>>
}

import type { ReadDb } from '../db/open.ts'

/** What developers are told before they remove a scope, of what a later slice keeps. */
export interface PeopleWith {
  /** How many people allow some app this scope; no more than `limit` are counted. */
  count(db: ReadDb, key: string, limit: number): Promise<number>
}

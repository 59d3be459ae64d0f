import type { account } from '@vrata/contract'
import type { Db, ReadDb } from '../db/open.ts'

/** The account's view of organisations, which stand later in the line: developers/door.ts implements it. */
export interface Memberships {
  /** Organisations of a person, by name. */
  of(db: ReadDb | Db, user_id: string): Promise<account.DeveloperAccount[]>
}

import type { Kysely } from 'kysely'

export interface Migration {
  /** Frozen with its release: the handle has no table types, so later changes of the schema do not affect it. */
  up(db: Kysely<never>): Promise<void>
}

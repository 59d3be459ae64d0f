import type { ExpressionBuilder } from 'kysely'
import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Guard } from '../../db/open.ts'
import type { Database } from '../../db/schema.ts'
import { isAccessChanging } from './access/access-lost-store.ts'

/** While the rule of the client is changing it does not hold: the transaction that follows asks the rule. */
const lives = (e: ExpressionBuilder<Database, 'connections'>) =>
  e.and([e('blocked_at', 'is', null), e('access_lost_at', 'is', null), e.not(isAccessChanging())]).as('holds')

const locked = prepare((db, { id }: { id: string }) =>
  db.selectFrom('connections').select(lives).where('id', '=', id).forNoKeyUpdate(),
)
const used = prepare((db, { id, at, not_since }: { id: string; at: string; not_since: string }) =>
  db
    .updateTable('connections')
    .set((e) => ({
      last_used_at: e.case().when('last_used_at', '<', not_since).then(at).else(e.ref('last_used_at')).end(),
    }))
    .where('id', '=', id)
    .returning(lives),
)

/** A use of which the time is written unless one is stored that is not before `not_since`. */
export type UseTime = { at: string; not_since: string }

/** Locks a connection as an update does, and writes its last use. Holds while tokens may be created from it. */
export function connectionGuard(id: string, use: UseTime | undefined): Guard {
  return { statement: use ? used.with({ id, ...use }) : locked.with({ id }), missing: false }
}

import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import { selectUserInfo } from '../account/public.ts'
import { isLive } from './store.ts'

const byAccess = prepare((db, { access_hash, now }: { access_hash: string; now: string }) =>
  selectUserInfo(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select([
      'sessions.id as session_id',
      'sessions.user_id',
      'sessions.developer_id as current_developer_id',
      'sessions.authenticated_at',
      'sessions.reauthenticated_at',
      'sessions.methods',
      'sessions.next_step',
    ])
    .where(isLive(now))
    .where('sessions.access_hash', '=', access_hash)
    .where('sessions.access_until', '>', now),
)

/** The live session of an access cookie with the info of its user, a row for each developer account; none without a live session. */
export async function listByAccess(db: ReadDb, access_hash: string, now: string) {
  return await byAccess.rows(db, { access_hash, now })
}

import { atLeast, type InputOf, problem, type users } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findDeveloperUserForUpdate, updateBlockedAt, updateSearchTerms } from '../connections/public.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { findMemberLevel } from '../members/public.ts'
import { findDeveloperUsers } from './developer-users.ts'

/**
 * Blocks a user from all present and future clients of the developer account, or unblocks them. Grants are kept; codes and
 * tokens are deleted in the same transaction (decision 0025).
 */
export async function setUserBlocked(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, blocked }: InputOf<typeof users.setUserBlocked>,
): Promise<users.DeveloperUser> {
  const { developer_id } = actor
  const row = await findDeveloperUserForUpdate(deps.db, developer_id, id)
  if (!row) throw problem('not_found')
  // A member cannot act on members of their own level or above, except as owner (api §5.2).
  const level = await findMemberLevel(deps.db, developer_id, id)
  if (actor.permission !== 'owner' && level && atLeast(level, actor.permission)) {
    throw problem('insufficient_level', { params: { needed: level } })
  }
  if (blocked !== (row.blocked_at !== null)) {
    const blocked_at = blocked ? toTime(deps.clock.now()) : null
    const connection_ids = await updateBlockedAt(deps.db, developer_id, id, blocked_at)
    if (blocked) await deps.revoke('user_blocked', { user_id: id, connection_ids, developer_id })
    await recordDeveloperActivity(deps, actor, blocked ? 'BLOCKED_USER' : 'UNBLOCKED_USER', { user: id })
  }
  const [found] = await findDeveloperUsers(deps.db, { developer_id }, [id])
  if (!found) throw problem('not_found')
  // Only the block has kept a user in the list who has removed all clients meanwhile.
  if (!blocked) await updateSearchTerms(deps.db, { ...row, blocked_at: null })
  return found.user
}

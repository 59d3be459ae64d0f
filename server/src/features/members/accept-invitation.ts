import { type InputOf, type Level, type members, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { type AnonymousActor, actorWith, type UserActor } from '../../http/actors.ts'
import { hashToken, newId } from '../../lib/ids.ts'
import { findUser, findUserForUpdate, type User } from '../account/public.ts'
import {
  type DeveloperRow,
  displayName,
  findDeveloper,
  findDeveloperForUpdate,
  isApproved,
  recordDeveloperActivity,
  toDeveloper,
} from '../developers/public.ts'
import { requireFactorOfDeveloper } from '../security/public.ts'
import { updateSessionDeveloper } from '../sessions/public.ts'
import { invitationState, memberLimit } from './invitation.ts'
import {
  findInvitationByToken,
  type InvitationRow,
  listInvitationsByEmail,
  updateInvitationEnd,
} from './invitation-store.ts'
import { findLevel, findUsableLevels, insertMember, listMembers } from './store.ts'

/** Describes the invitation of a token. The address is included while the invitation is waiting, so that the user can choose the account. */
export async function describeInvitation(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  _: AnonymousActor,
  { token }: InputOf<typeof members.describeInvitation>,
) {
  const row = await findInvitationByToken(deps.db, hashToken(token))
  const invitation = row && (await toInvitation(deps, row))
  if (!invitation) throw problem('invalid_token')
  return { ...invitation, email: invitation.state === 'waiting' ? row.email : null }
}

/** Implements the extension point `Invitations`. */
export async function isInvited(deps: Pick<AppDeps, 'db' | 'clock'>, token: string, email: string): Promise<boolean> {
  const row = await findInvitationByToken(deps.db, hashToken(token))
  return row?.email === email && invitationState(row, await findInviterLevel(deps, row), deps.clock.now()) === 'waiting'
}

/** Accepts an invitation by token; requires the account with the invited, confirmed address (api §5). */
export async function acceptInvitation(
  deps: TransactionDeps,
  actor: UserActor,
  { token }: InputOf<typeof members.acceptInvitation>,
) {
  // Locks the user before the developer, in the order of account deletion.
  const user = await findUserForUpdate(deps.db, actor.user_id)
  const row = await findInvitationByToken(deps.db, hashToken(token))
  if (!row || !user) throw problem('invalid_token')
  if (row.email !== user.email) throw problem('wrong_account')
  if (user.email_verified_at === null) throw problem('email_not_verified')
  const joined = await joinDeveloper(deps, actor, row)
  if (!joined) throw problem('invalid_token')
  return joined
}

/** Lists the invitations that the user can accept now. */
export async function listInvitations(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  actor: UserActor,
): Promise<members.Invitation[]> {
  const user = await findUser(deps.db, actor.user_id)
  if (!user?.email_verified_at) return []
  const rows = await listInvitationsByEmail(deps.db, user.email, toTime(deps.clock.now()))
  const invitations = await Promise.all(
    rows.map(async (row) =>
      (await findLevel(deps.db, row.developer_id, user.id)) ? undefined : await toInvitation(deps, row),
    ),
  )
  return invitations.filter((one) => one !== undefined).filter(({ state }) => state === 'waiting')
}

/** Accepts or declines an invitation to the address of the account, without its token. */
export async function answerInvitation(
  deps: TransactionDeps,
  actor: UserActor,
  { id, accept }: InputOf<typeof members.answerInvitation>,
) {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  const row = user && (await findPendingInvitation(deps, user, id))
  if (!row) throw problem('not_found')
  if (accept) {
    const developer = await joinDeveloper(deps, actor, row)
    if (!developer) throw problem('not_found')
    return { developer }
  }
  if (!(await updateInvitationEnd(deps.db, row.id, 'declined', toTime(deps.clock.now())))) throw problem('not_found')
  return { developer: null }
}

async function findPendingInvitation(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  user: User,
  id: string,
): Promise<InvitationRow | undefined> {
  if (user.email_verified_at === null) return undefined
  const rows = await listInvitationsByEmail(deps.db, user.email, toTime(deps.clock.now()))
  return rows.find((row) => row.id === id)
}

/** Returns undefined when the invitation is no longer valid. */
async function joinDeveloper(deps: TransactionDeps, actor: UserActor, row: InvitationRow) {
  await requireFactorOfDeveloper(deps, actor.user_id)
  const { developer_id, permission } = row
  const developer = await findDeveloperForUpdate(deps.db, developer_id)
  const now = deps.clock.now()
  if (!developer) return undefined
  if (invitationState(row, await findInviterLevel(deps, row), now) !== 'waiting') return undefined
  if (await findLevel(deps.db, developer_id, actor.user_id)) throw problem('already_member')
  await requireRoom(deps, developer)
  // The invitation was read before the developer was locked: it may have been withdrawn since.
  if (!(await updateInvitationEnd(deps.db, row.id, 'accepted', toTime(now)))) return undefined
  const joined_at = toTime(now)
  await insertMember(deps.db, { id: newId(deps.clock), developer_id, user_id: actor.user_id, permission, joined_at })
  await updateSessionDeveloper(deps.db, actor.session_id, developer_id)
  await recordDeveloperActivity(deps, actorWith(actor, { developer_id }), 'JOINED', { to: permission })
  return toDeveloper(developer, permission as Level)
}

/**
 * Throws `limit_reached` when the locked developer account has as many members as it may have: an invitation that was void while others were
 * sent may be waiting again, and the quota may have been lowered.
 */
async function requireRoom(deps: TransactionDeps, developer: DeveloperRow): Promise<void> {
  const limit = await memberLimit(deps, developer)
  const { length } = await listMembers(deps.db, developer.id)
  if (length >= limit) throw problem('limit_reached', { params: { limit, of: 'joining' } })
}

async function toInvitation(deps: Pick<AppDeps, 'db' | 'clock'>, row: InvitationRow) {
  const { id, expires_at, invited_by } = row
  const [developer, inviter, level] = await Promise.all([
    findDeveloper(deps.db, row.developer_id),
    invited_by === null ? undefined : findUser(deps.db, invited_by),
    findInviterLevel(deps, row),
  ])
  if (!developer) return undefined
  const { name, logo, website } = developer
  return {
    id,
    developer: { name, logo, website },
    inviter: inviter ? displayName(inviter) : null,
    permission: row.permission as Level,
    expires_at,
    state: invitationState(row, level, deps.clock.now()),
  }
}

/** Invitations are void while operators have not approved the organization (operators §12). */
async function findInviterLevel(deps: Pick<AppDeps, 'db'>, { developer_id, invited_by }: InvitationRow) {
  const developer = await findDeveloper(deps.db, developer_id)
  if (invited_by === null || !developer || !isApproved(developer)) return undefined
  return (await findUsableLevels(deps.db, developer_id, invited_by)).get(invited_by)
}

import {
  atLeast,
  canGrantLevel,
  canManageMember,
  type InputOf,
  LEVELS,
  type Level,
  levelNeededToGrant,
  levelNeededToManage,
  type members,
  problem,
} from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findUser, findUsers, type User } from '../account/public.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { invitationState, toInvitedMember } from './invitation.ts'
import { findInvitation, listOpenInvitations, updateInvitationEnds } from './invitation-store.ts'
import {
  insufficientLevel,
  type LockedMembers,
  lockMembers,
  type MemberRow,
  requireFreshSignInToGrant,
  requireFreshSignInToRemoveOwner,
  requireRemainingOwner,
} from './locked-members.ts'
import { deleteMember, findUsableLevels, listMembers, updatePermission } from './store.ts'

/** Lists members, then open invitations (api §5). */
export async function listMembersAndInvitations(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  { developer_id }: MemberActor,
  filter: InputOf<typeof members.listMembers>,
): Promise<members.MemberInfo[]> {
  const [rows, open, levels] = await Promise.all([
    listMembers(deps.db, developer_id) as Promise<MemberRow[]>,
    listOpenInvitations(deps.db, developer_id),
    findUsableLevels(deps.db, developer_id),
  ])
  const user_ids = [...rows.map(({ user_id }) => user_id), ...open.flatMap(({ invited_by }) => invited_by ?? [])]
  const users = new Map((await findUsers(deps.db, [...new Set(user_ids)])).map((user) => [user.id, user]))
  const joined = rows.flatMap((row) => {
    const user = users.get(row.user_id)
    return user ? [toMember(row, user)] : []
  })
  const invited = open.map((row) => {
    const inviter = row.invited_by === null ? undefined : users.get(row.invited_by)
    const state = invitationState(row, levels.get(row.invited_by ?? ''), deps.clock.now())
    return toInvitedMember(row, state, inviter)
  })
  return [...joined.sort(orderOf(filter.sort)), ...invited].filter((one) => isSelected(one, filter))
}

/** An organization has a few hundred members at most, so the list is read as a whole. */
function orderOf(sort: members.MemberSort): (a: members.MemberInfo, b: members.MemberInfo) => number {
  const rank = ({ permission }: members.MemberInfo) => LEVELS.indexOf(permission)
  const name = ({ user }: members.MemberInfo) => folded(`${user.first_name} ${user.last_name}`.trim() || user.email)
  const since = ({ joined_at }: members.MemberInfo) => joined_at ?? ''
  // Rows come with the oldest membership first.
  if (sort === 'newest') return (a, b) => (since(a) < since(b) ? 1 : -1)
  if (sort === 'name') return (a, b) => (name(a) < name(b) ? -1 : 1)
  return (a, b) => rank(b) - rank(a)
}

function isSelected(
  { user, permission }: members.MemberInfo,
  filter: Pick<InputOf<typeof members.listMembers>, 'query' | 'permission'>,
): boolean {
  if (filter.permission && filter.permission !== permission) return false
  const text = folded(`${user.first_name} ${user.last_name}`, user.username ?? '', user.email)
  return !filter.query || text.includes(folded(filter.query))
}

function toMember({ id, permission, joined_at }: MemberRow, user: User): members.MemberInfo {
  const { first_name, last_name, username, email, profile_picture } = user
  return {
    id,
    user: { id: user.id, first_name, last_name, username, email, profile_picture },
    permission,
    joined_at,
    pending: false,
  }
}

/** Changes the level of a member (api §5). Throws `already_decided` for a level that the actor has not seen. */
export async function changeLevel(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, permission, seen_permission }: InputOf<typeof members.changeLevel>,
) {
  const lockedMembers = await lockMembers(deps, actor)
  const row = lockedMembers.all.find((one) => one.id === id)
  const user = row && (await findUser(deps.db, row.user_id))
  if (!row || !user) throw problem('not_found')
  requireManageable(lockedMembers, row)
  if (permission !== row.permission) requireSeen(row, seen_permission)
  if (!canGrantLevel(lockedMembers.own.permission, permission)) throw insufficientLevel(levelNeededToGrant(permission))
  if (permission !== row.permission) {
    if (atLeast(row.permission, permission)) requireFreshSignInToRemoveOwner(deps, actor, row)
    else requireFreshSignInToGrant(deps, actor, permission)
    await requireRemainingOwner(deps, row)
    await updatePermission(deps.db, id, permission)
    const params = { member: row.user_id, from: row.permission, to: permission }
    await recordDeveloperActivity(deps, actor, 'CHANGED_LEVEL', params, { subject_id: row.user_id })
    if (!atLeast(permission, row.permission)) await revokeOfMember(deps, actor, row, 'member_level_lowered')
  }
  return toMember({ ...row, permission }, user)
}

/** Removes a member, or withdraws the invitation with this id (api §5). Throws `already_decided` as `changeLevel` does. */
export async function removeMember(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, seen_permission }: InputOf<typeof members.removeMember>,
) {
  const lockedMembers = await lockMembers(deps, actor)
  const row = lockedMembers.all.find((one) => one.id === id)
  if (!row) return await withdrawInvitation(deps, actor, lockedMembers, id)
  requireManageable(lockedMembers, row)
  requireSeen(row, seen_permission)
  if (row === lockedMembers.own) return await leave(deps, actor, lockedMembers)
  requireFreshSignInToRemoveOwner(deps, actor, row)
  await requireRemainingOwner(deps, row)
  await deleteMember(deps.db, id)
  const params = { member: row.user_id }
  await recordDeveloperActivity(deps, actor, 'REMOVED_MEMBER', params, { subject_id: row.user_id })
  await revokeOfMember(deps, actor, row, 'member_removed')
  return {}
}

/** Withdraws an invitation; requires the permission to make it. */
async function withdrawInvitation(deps: TransactionDeps, actor: MemberActor, { own }: LockedMembers, id: string) {
  const invitation = await findInvitation(deps.db, actor.developer_id, id)
  const state = invitation && invitationState(invitation, 'owner', deps.clock.now())
  if (!invitation || (state !== 'waiting' && state !== 'expired' && state !== 'declined')) throw problem('not_found')
  const { email } = invitation
  const permission = invitation.permission as Level
  if (!canGrantLevel(own.permission, permission)) throw insufficientLevel(levelNeededToGrant(permission))
  await updateInvitationEnds(deps.db, actor.developer_id, email, 'withdrawn')
  await recordDeveloperActivity(deps, actor, 'WITHDREW_INVITATION', { invitation: id }, { subject_id: id })
  return {}
}

/** Removes the membership of the actor (api §5). */
export async function leaveDeveloper(deps: TransactionDeps, actor: MemberActor) {
  return await leave(deps, actor, await lockMembers(deps, actor))
}

async function leave(deps: TransactionDeps, actor: MemberActor, lockedMembers: LockedMembers) {
  requireFreshSignInToRemoveOwner(deps, actor, lockedMembers.own)
  await requireRemainingOwner(deps, lockedMembers.own)
  await recordDeveloperActivity(deps, actor, 'LEFT')
  await deleteMember(deps.db, lockedMembers.own.id)
  await revokeOfMember(deps, actor, lockedMembers.own, 'member_removed')
  return {}
}

async function revokeOfMember(
  deps: TransactionDeps,
  { developer_id }: MemberActor,
  { user_id }: MemberRow,
  event: 'member_level_lowered' | 'member_removed',
): Promise<void> {
  await deps.revoke(event, { user_id, developer_id })
}

function requireManageable({ own }: LockedMembers, { permission }: MemberRow): void {
  if (!canManageMember(own.permission, permission)) throw insufficientLevel(levelNeededToManage(permission))
}

/** Another member may have changed the level since the actor has seen it; undefined for any. */
function requireSeen({ permission }: MemberRow, seen: Level | undefined): void {
  if (seen !== undefined && seen !== permission) throw problem('already_decided')
}

import {
  type InputOf,
  LEVELS,
  type Level,
  mayGive,
  mayManage,
  type members,
  neededToGive,
  neededToManage,
  problem,
} from '@vrata/contract'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { findUser, findUsers, type User } from '../account/door.ts'
import { recordInDeveloper } from './activity.ts'
import { type Assembly, assemble, keepAnOwner, type MemberRow, mustBeFresh, nameOf, tooLow } from './assembly.ts'
import { invitationInfo, stateOf } from './invitation.ts'
import { endInvitationsTo, findInvitation, listOpenInvitations } from './invitation-store.ts'
import { deleteMember, listMembers, setPermission } from './store.ts'

/** api.md §5: GET /developer/members. */
export async function listEverybody(deps: ReadDeps, { developer_id }: Member): Promise<members.MemberInfo[]> {
  const [rows, open] = await Promise.all([
    listMembers(deps.db, developer_id) as Promise<MemberRow[]>,
    listOpenInvitations(deps.db, developer_id),
  ])
  const wanted = [...rows.map(({ user_id }) => user_id), ...open.flatMap(({ invited_by }) => invited_by ?? [])]
  const users = new Map((await findUsers(deps.db, [...new Set(wanted)])).map((user) => [user.id, user]))
  const levels = new Map(rows.map(({ user_id, permission }) => [user_id, permission]))
  const rank = ({ permission }: MemberRow) => LEVELS.indexOf(permission)
  return [
    ...rows
      .sort((a, b) => rank(b) - rank(a))
      .flatMap((row) => {
        const user = users.get(row.user_id)
        return user ? [memberInfo(row, user)] : []
      }),
    ...open.map((row) => {
      const inviter = row.invited_by === null ? undefined : users.get(row.invited_by)
      const state = stateOf(row, levels.get(row.invited_by ?? ''), deps.clock.now())
      return invitationInfo(row, state, inviter)
    }),
  ]
}

function memberInfo({ id, permission, joined_at }: MemberRow, user: User): members.MemberInfo {
  const { first_name, last_name, username, email, profile_picture } = user
  return {
    id,
    user: { id: user.id, first_name, last_name, username, email, profile_picture },
    permission,
    joined_at,
    pending: false,
  }
}

/** api.md §5: PUT /developer/members/{id}. */
export async function changeLevel(deps: Deps, actor: Member, { id, permission }: InputOf<typeof members.changeLevel>) {
  const assembly = await assemble(deps, actor)
  const row = assembly.all.find((one) => one.id === id)
  const user = row && (await findUser(deps.db, row.user_id))
  if (!row || !user) throw problem('not_found')
  mustManage(assembly, row)
  if (!mayGive(assembly.own.permission, permission)) throw tooLow(neededToGive(permission))
  if (permission !== row.permission) {
    mustBeFresh(deps, actor, permission)
    keepAnOwner(assembly, row)
    await setPermission(deps.db, id, permission)
    await recordInDeveloper(deps, actor, 'CHANGED_LEVEL', { name: nameOf(user), from: row.permission, to: permission })
  }
  return memberInfo({ ...row, permission }, user)
}

/** api.md §5: DELETE /developer/members/{id}; the id of an invitation withdraws it. */
export async function removeMember(deps: Deps, actor: Member, { id }: InputOf<typeof members.removeMember>) {
  const assembly = await assemble(deps, actor)
  const row = assembly.all.find((one) => one.id === id)
  if (!row) return await withdraw(deps, actor, assembly, id)
  mustManage(assembly, row)
  if (row === assembly.own) return await goAway(deps, actor, assembly)
  keepAnOwner(assembly, row)
  const user = await findUser(deps.db, row.user_id)
  await deleteMember(deps.db, id)
  await recordInDeveloper(deps, actor, 'REMOVED_MEMBER', { name: user && nameOf(user) })
  return {}
}

/** Whoever could have made an invitation may take it back. */
async function withdraw(deps: Deps, actor: Member, { own }: Assembly, id: string) {
  const invitation = await findInvitation(deps.db, actor.developer_id, id)
  const state = invitation && stateOf(invitation, 'owner', deps.clock.now())
  if (!invitation || (state !== 'waiting' && state !== 'expired' && state !== 'declined')) throw problem('not_found')
  const { email } = invitation
  const permission = invitation.permission as Level
  if (!mayGive(own.permission, permission)) throw tooLow(neededToGive(permission))
  await endInvitationsTo(deps.db, actor.developer_id, email, 'withdrawn')
  await recordInDeveloper(deps, actor, 'WITHDREW_INVITATION', { name: email })
  return {}
}

/** api.md §5: DELETE /developer/leave. */
export async function leaveDeveloper(deps: Deps, actor: Member) {
  return await goAway(deps, actor, await assemble(deps, actor))
}

async function goAway(deps: Deps, actor: Member, assembly: Assembly) {
  keepAnOwner(assembly, assembly.own)
  await recordInDeveloper(deps, actor, 'LEFT')
  await deleteMember(deps.db, assembly.own.id)
  return {}
}

function mustManage({ own }: Assembly, { permission }: MemberRow): void {
  if (!mayManage(own.permission, permission)) throw tooLow(neededToManage(permission))
}

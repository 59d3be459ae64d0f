import {
  type InputOf,
  type Level,
  LIFETIMES,
  LIMITS,
  mayGive,
  type members,
  neededToGive,
  problem,
} from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { hashToken, newId, newToken } from '../../ports/ids.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { findUser, findUserByEmail, localeOf, type User } from '../account/door.ts'
import { recordInDeveloper } from './activity.ts'
import { type Assembly, assemble, mustBeFresh, nameOf, tooLow } from './assembly.ts'
import { invitationInfo, stateOf } from './invitation.ts'
import {
  endInvitationsTo,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listInvitedSince,
  listOpenInvitations,
} from './invitation-store.ts'
import { findDeveloper } from './store.ts'

const DAY = 24 * 60 * 60

/** api.md §5: POST /developer/members. */
export async function inviteMember(deps: Deps, actor: Member, input: InputOf<typeof members.inviteMember>) {
  const assembly = await assemble(deps, actor)
  const invited = await mayBeInvited(deps, assembly, input)
  const levels = new Map(assembly.all.map(({ user_id, permission }) => [user_id, permission]))
  const waiting = (await listOpenInvitations(deps.db, actor.developer_id)).filter(
    (row) => stateOf(row, levels.get(row.invited_by ?? ''), deps.clock.now()) === 'waiting',
  )
  if (waiting.some(({ email }) => email === input.email)) {
    throw problem('already_invited', { fields: { email: 'taken' } })
  }
  if (assembly.all.length + waiting.length >= LIMITS.members_per_developer) throw problem('too_many_members')
  return await issue(deps, actor, input, invited)
}

/** The same address and level anew; whoever does so vouches for it from now on. */
export async function resendInvitation(deps: Deps, actor: Member, { id }: InputOf<typeof members.resendInvitation>) {
  const assembly = await assemble(deps, actor)
  const row = await findInvitation(deps.db, actor.developer_id, id)
  if (!row || (row.ended_as !== null && row.ended_as !== 'declined')) throw problem('not_found')
  const again = { email: row.email, permission: row.permission as Level }
  return await issue(deps, actor, again, await mayBeInvited(deps, assembly, again))
}

type Wanted = { email: string; permission: Level }

/** Answers the account of the address, if it has one. */
async function mayBeInvited(deps: Deps, { all, own }: Assembly, { email, permission }: Wanted) {
  if (!mayGive(own.permission, permission)) throw tooLow(neededToGive(permission))
  const invited = await findUserByEmail(deps.db, email)
  if (invited && all.some(({ user_id }) => user_id === invited.id)) {
    throw problem('already_member', { fields: { email: 'taken' } })
  }
  return invited
}

async function issue(deps: Deps, actor: Member, { email, permission }: Wanted, invited: User | undefined) {
  mustBeFresh(deps, actor, permission)
  await mustNotPester(deps, actor.developer_id, email)
  const [inviter, developer] = await Promise.all([
    findUser(deps.db, actor.user_id),
    findDeveloper(deps.db, actor.developer_id),
  ])
  if (!inviter || !developer) throw problem('no_developer')
  const now = deps.clock.now()
  const token = newToken()
  const row: InvitationRow = {
    id: newId(deps.clock),
    developer_id: developer.id,
    email,
    permission,
    token_hash: hashToken(token),
    invited_by: inviter.id,
    created_at: toTime(now),
    expires_at: timeAfter(now, LIFETIMES.invitation),
    ended_as: null,
  }
  await endInvitationsTo(deps.db, developer.id, email, 'replaced')
  await insertInvitation(deps.db, row)
  await recordInDeveloper(deps, actor, 'INVITED_MEMBER', { name: email, to: permission })
  const link = `${deps.config.url}/accept-invitation/${token}`
  await queueMail(deps, {
    to: email,
    locale: localeOf(invited ?? inviter),
    template: 'invitation',
    values: {
      name: invited?.first_name ?? '',
      link,
      when: row.expires_at,
      inviter: nameOf(inviter),
      organization: developer.name,
    },
    expires_at: row.expires_at,
  })
  return { ...invitationInfo(row, 'waiting', inviter), link }
}

/** Whoever is invited may never have heard of us. */
async function mustNotPester(deps: Deps, developer_id: string, email: string): Promise<void> {
  const since = timeAfter(deps.clock.now(), -DAY)
  const today = await listInvitedSince(deps.db, developer_id, since, LIMITS.invitations_per_day)
  const same = today.filter((row) => row.email === email).length
  if (today.length >= LIMITS.invitations_per_day || same >= LIMITS.invitations_per_address_and_day) {
    throw problem('too_many_requests', { retry_after: DAY, params: { seconds: DAY } })
  }
}

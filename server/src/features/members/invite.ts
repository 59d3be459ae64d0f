import {
  canGrantLevel,
  type InputOf,
  type Level,
  LIFETIMES,
  LIMITS,
  levelNeededToGrant,
  type members,
  paths,
  problem,
} from '@vrata/contract'
import { queueMail } from '../../adapters/mail/mail.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { hashToken, newId, newToken } from '../../lib/ids.ts'
import { findUser, findUserByEmail, greetingName, localeOf, type User } from '../account/public.ts'
import { displayName, findDeveloper, recordDeveloperActivity } from '../developers/public.ts'
import { countMail, hasCountedMail, mailKey } from '../security/public.ts'
import { invitationState, memberLimit, toInvitedMember } from './invitation.ts'
import {
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listOpenInvitations,
  updateInvitationEnds,
} from './invitation-store.ts'
import { insufficientLevel, type LockedMembers, lockMembers, requireFreshSignInToGrant } from './locked-members.ts'
import { findUsableLevels } from './store.ts'

/** Invites an email address (api §5). */
export async function inviteMember(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof members.inviteMember>,
) {
  const lockedMembers = await lockMembers(deps, actor)
  const invited = await findInvitedUser(deps, lockedMembers, input)
  const waiting = await listWaitingEmails(deps, actor)
  if (waiting.includes(input.email)) throw problem('already_invited', { fields: { email: 'taken' } })
  await requireMemberQuota(deps, lockedMembers, waiting)
  return await sendInvitation(deps, actor, input, invited)
}

/** Lists the addresses of invitations that can be accepted. */
async function listWaitingEmails(deps: TransactionDeps, { developer_id }: MemberActor): Promise<string[]> {
  const levels = await findUsableLevels(deps.db, developer_id)
  const open = await listOpenInvitations(deps.db, developer_id)
  return open.flatMap((row) =>
    invitationState(row, levels.get(row.invited_by ?? ''), deps.clock.now()) === 'waiting' ? [row.email] : [],
  )
}

/** Throws `limit_reached` unless one more invitation may wait. */
async function requireMemberQuota(
  deps: TransactionDeps,
  { all, own }: LockedMembers,
  waiting: string[],
): Promise<void> {
  const limit = await memberLimit(deps, await findDeveloper(deps.db, own.developer_id))
  if (all.length + waiting.length >= limit) throw problem('limit_reached', { params: { limit, of: 'members' } })
}

/** Invites the same address with the same level again. The actor becomes the inviter. */
export async function resendInvitation(
  deps: TransactionDeps,
  actor: MemberActor,
  { id }: InputOf<typeof members.resendInvitation>,
) {
  const lockedMembers = await lockMembers(deps, actor)
  const row = await findInvitation(deps.db, actor.developer_id, id)
  if (!row || (row.ended_as !== null && row.ended_as !== 'declined')) throw problem('not_found')
  const again = { email: row.email, permission: row.permission as Level }
  const invited = await findInvitedUser(deps, lockedMembers, again)
  const waiting = await listWaitingEmails(deps, actor)
  await requireMemberQuota(
    deps,
    lockedMembers,
    waiting.filter((email) => email !== row.email),
  )
  return await sendInvitation(deps, actor, again, invited)
}

type InvitationInput = { email: string; permission: Level }

/** Checks that the actor may invite the address with this level. Returns the account of the address, if any. */
async function findInvitedUser(
  deps: TransactionDeps,
  { all, own }: LockedMembers,
  { email, permission }: InvitationInput,
) {
  if (!canGrantLevel(own.permission, permission)) throw insufficientLevel(levelNeededToGrant(permission))
  const invited = await findUserByEmail(deps.db, email)
  if (invited && all.some(({ user_id }) => user_id === invited.id)) {
    throw problem('already_member', { fields: { email: 'taken' } })
  }
  return invited
}

/** Names the inviter by the confirmed address rather than by a user name, which may look like a web address. */
function nameOrEmail(inviter: User): string {
  return displayName({ ...inviter, username: null })
}

async function sendInvitation(
  deps: TransactionDeps,
  actor: MemberActor,
  { email, permission }: InvitationInput,
  invited: User | undefined,
) {
  requireFreshSignInToGrant(deps, actor, permission)
  await countInvitation(deps, actor, email)
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
  await updateInvitationEnds(deps.db, developer.id, email, 'replaced')
  await insertInvitation(deps.db, row)
  const params = { invitation: row.id, to: permission }
  await recordDeveloperActivity(deps, actor, 'INVITED_MEMBER', params, { subject_id: row.id })
  const link = `${deps.config.url}${paths.acceptInvitation(token)}`
  await queueMail(deps, {
    to: email,
    locale: localeOf(invited ?? inviter),
    template: 'invitation',
    values: {
      name: invited ? greetingName(invited) : '',
      link,
      when: row.expires_at,
      inviter: nameOrEmail(inviter),
      organization: developer.name,
    },
    expires_at: row.expires_at,
  })
  return { ...toInvitedMember(row, 'waiting', inviter), link }
}

/** Limits invitation mails by sender, and by recipient from all senders: recipients did not ask for them. */
async function countInvitation(deps: TransactionDeps, { user_id }: MemberActor, email: string): Promise<void> {
  const { invitation_mails_per_day: limit } = (await deps.policy.find(deps.db)).limits
  if (!(await hasCountedMail(deps, mailKey.inviter(user_id), limit))) {
    throw problem('limit_reached', { params: { limit, of: 'invitations' } })
  }
  await countMail(deps, mailKey.invitation(email), LIMITS.invitation_mails_per_address)
}

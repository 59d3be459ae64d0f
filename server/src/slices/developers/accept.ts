import { type InputOf, type invitations, type Level, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Person, Visitor } from '../../edge/actors.ts'
import { hashToken, newId } from '../../ports/ids.ts'
import { findUser, lockUser, type User } from '../account/door.ts'
import { setDeveloper } from '../auth/door.ts'
import { recordInDeveloper } from './activity.ts'
import { nameOf } from './assembly.ts'
import { developerOf } from './developer.ts'
import { stateOf } from './invitation.ts'
import { endInvitation, findInvitationByToken, type InvitationRow, listInvitationsTo } from './invitation-store.ts'
import { findDeveloper, findLevel, insertMember, lockDeveloper } from './store.ts'

/** The address is told to whoever has the link, as long as it may be of use: they must know which account to take. */
export async function describeInvitation(
  deps: ReadDeps,
  _: Visitor,
  { token }: InputOf<typeof invitations.describeInvitation>,
) {
  const row = await findInvitationByToken(deps.db, hashToken(token))
  const told = row && (await describe(deps, row))
  if (!told) throw problem('invalid_token')
  return { ...told, email: told.state === 'waiting' ? row.email : null }
}

/** api.md §5: POST /developer/accept-invitation/{token}; only for the account that holds the address, confirmed. */
export async function acceptInvitation(
  deps: Deps,
  actor: Person,
  { token }: InputOf<typeof invitations.acceptInvitation>,
) {
  // The person first, then the organisation: the order in which the deletion of an account goes about it, too.
  const user = await lockUser(deps.db, actor.user_id)
  const row = await findInvitationByToken(deps.db, hashToken(token))
  if (!row || !user) throw problem('invalid_token')
  if (row.email !== user.email) throw problem('wrong_account')
  if (user.email_verified_at === null) throw problem('email_not_verified')
  const joined = await join(deps, actor, row)
  if (!joined) throw problem('invalid_token')
  return joined
}

/** Those that the person could accept now. */
export async function listInvitations(deps: ReadDeps, actor: Person): Promise<invitations.Invitation[]> {
  const user = await findUser(deps.db, actor.user_id)
  if (!user?.email_verified_at) return []
  const rows = await listInvitationsTo(deps.db, user.email, toTime(deps.clock.now()))
  const told = await Promise.all(
    rows.map(async (row) =>
      (await findLevel(deps.db, row.developer_id, user.id)) ? undefined : await describe(deps, row),
    ),
  )
  return told.filter((one) => one !== undefined).filter(({ state }) => state === 'waiting')
}

/** The account that holds the address needs no link. To anybody else there is no such invitation. */
export async function answerInvitation(
  deps: Deps,
  actor: Person,
  { id, accept }: InputOf<typeof invitations.answerInvitation>,
) {
  const user = await lockUser(deps.db, actor.user_id)
  const row = user && (await waitingFor(deps, user, id))
  if (!row) throw problem('not_found')
  if (accept) {
    const developer = await join(deps, actor, row)
    if (!developer) throw problem('not_found')
    return { developer }
  }
  if (!(await endInvitation(deps.db, row.id, 'declined', toTime(deps.clock.now())))) throw problem('not_found')
  return { developer: null }
}

async function waitingFor(deps: ReadDeps | Deps, user: User, id: string): Promise<InvitationRow | undefined> {
  if (user.email_verified_at === null) return undefined
  const rows = await listInvitationsTo(deps.db, user.email, toTime(deps.clock.now()))
  return rows.find((row) => row.id === id)
}

/** Undefined when it does not count any more. */
async function join(deps: Deps, actor: Person, row: InvitationRow) {
  const { developer_id, permission } = row
  const developer = await lockDeveloper(deps.db, developer_id)
  const now = deps.clock.now()
  if (!developer || stateOf(row, await inviterLevel(deps, row), now) !== 'waiting') return undefined
  if (await findLevel(deps.db, developer_id, actor.user_id)) throw problem('already_member')
  // Read before the organisation was locked: it may have been withdrawn since.
  if (!(await endInvitation(deps.db, row.id, 'accepted', toTime(now)))) return undefined
  const joined_at = toTime(now)
  await insertMember(deps.db, { id: newId(deps.clock), developer_id, user_id: actor.user_id, permission, joined_at })
  await setDeveloper(deps.db, actor.session_id, developer_id)
  await recordInDeveloper(deps, { ...actor, developer_id }, 'JOINED', { to: permission })
  return developerOf(developer, permission as Level)
}

async function describe(deps: ReadDeps, row: InvitationRow) {
  const { id, expires_at, invited_by } = row
  const [developer, inviter, level] = await Promise.all([
    findDeveloper(deps.db, row.developer_id),
    invited_by === null ? undefined : findUser(deps.db, invited_by),
    inviterLevel(deps, row),
  ])
  if (!developer) return undefined
  const { name, logo, website } = developer
  return {
    id,
    developer: { name, logo, website },
    inviter: inviter ? nameOf(inviter) : null,
    permission: row.permission as Level,
    expires_at,
    state: stateOf(row, level, deps.clock.now()),
  }
}

async function inviterLevel(deps: Pick<ReadDeps, 'db'>, { developer_id, invited_by }: InvitationRow) {
  return invited_by === null ? undefined : await findLevel(deps.db, developer_id, invited_by)
}

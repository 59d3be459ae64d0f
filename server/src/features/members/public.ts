import { type account, atLeast, type Level } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { newId } from '../../lib/ids.ts'
import { required } from '../../revocation/revocations.ts'
import type { Revoker } from '../../revocation/revoke.ts'
import { findUser } from '../account/public.ts'
import { deleteDeveloperWithClients, findDeveloperForUpdate, isApproved } from '../developers/public.ts'
import { deleteInvitationsBefore, deleteInvitationsByEmail, deleteInvitationsOfDeveloper } from './invitation-store.ts'
import * as store from './store.ts'
import { deleteMembers, findLevel, insertMember, listMembers, listMemberships, updatePermission } from './store.ts'

export { isInvited } from './accept-invitation.ts'
export { findInvitedAddresses } from './invitation-store.ts'

/** Listens to `developer_created`: the user who created the developer account is its owner. */
export async function onDeveloperCreated(
  { db, clock }: TransactionDeps,
  { developer_id, user_id }: Events['developer_created'],
): Promise<void> {
  const joined_at = toTime(clock.now())
  await insertMember(db, { id: newId(clock), developer_id, user_id, permission: 'owner', joined_at })
}

/** Listens to `developer_deleted`: deletes members and invitations, so that nobody acts for the account while its rows are being deleted. */
export async function onDeveloperDeleted(
  { db }: TransactionDeps,
  { developer_id }: Events['developer_deleted'],
): Promise<void> {
  await deleteMembers(db, developer_id)
  await deleteInvitationsOfDeveloper(db, developer_id)
}

/** Read by the guard of members' calls at every request, so that a change applies at once. */
export async function findMembership(
  db: ReadDb,
  developer_id: string,
  user_id: string,
): Promise<{ permission: Level; approved: boolean } | undefined> {
  const row = await store.findMembership(db, developer_id, user_id)
  return row && { permission: row.permission as Level, approved: isApproved(row) }
}

/** Returns the level of a user in a developer account, or null. Read at every request, so that a change applies at once. */
export async function findMemberLevel(db: ReadDb, developer_id: string, user_id: string): Promise<Level | null> {
  return (await findLevel(db, developer_id, user_id)) ?? null
}

/** Returns the level of a user in a developer account; undefined while the account of the user is disabled. */
export async function findUsableLevel(db: ReadDb, developer_id: string, user_id: string): Promise<Level | undefined> {
  return (await store.findUsableLevels(db, developer_id, user_id)).get(user_id)
}

/** Implements `Memberships`: lists the developer accounts of a user, sorted by name. */
export async function listDeveloperAccounts(db: ReadDb, user_id: string): Promise<account.DeveloperAccount[]> {
  const rows = await listMemberships(db, user_id)
  return rows.map(({ joined_at: _, ...row }) => ({ ...row, permission: row.permission as Level }))
}

/** Ids of the members and of the owners among them. */
export async function listMemberIds(db: ReadDb, developer_id: string): Promise<{ all: string[]; owners: string[] }> {
  const rows = await listMembers(db, developer_id)
  const owners = rows.filter(({ permission }) => permission === 'owner')
  return { all: rows.map(({ user_id }) => user_id), owners: owners.map(({ user_id }) => user_id) }
}

/** Makes a member an owner, for operators. The caller has locked the developer account and checked why. */
export async function makeOwner(deps: Pick<TransactionDeps, 'db'>, member_id: string): Promise<void> {
  await updatePermission(deps.db, member_id, 'owner')
}

/** Yields the memberships of a user for the data archive. */
export async function* exportOrganizations(db: ReadDb, user_id: string): AsyncGenerator<object> {
  for (const { developer_id, name, permission, joined_at } of await listMemberships(db, user_id)) {
    yield { developer_id, name, permission, joined_at }
  }
}

/**
 * Role of a user whose account is deleted: the only member (`alone`), among several members the only owner whose account is not disabled, or
 * `free` to leave.
 */
export interface Ownership {
  developer_id: string
  name: string
  role: 'alone' | 'only_owner' | 'free'
}

/** Lists the developer accounts of a user, and what becomes of each without the user (decision 0022). */
export async function listOwnerships(db: ReadDb, user_id: string): Promise<Ownership[]> {
  const memberships = await listMemberships(db, user_id)
  return await Promise.all(
    memberships.map(async ({ developer_id, name }) => {
      const members = await listMembers(db, developer_id)
      const levels = await store.findUsableLevels(db, developer_id)
      const owners = members.filter(({ permission }) => permission === 'owner').map((owner) => owner.user_id)
      const isOnly = owners.includes(user_id) && !owners.some((id) => id !== user_id && levels.has(id))
      return { developer_id, name, role: members.length === 1 ? 'alone' : isOnly ? 'only_owner' : 'free' }
    }),
  )
}

/** Locks the developer accounts, so that their members stay the same until the transaction ends, and lists the ownerships. */
export async function listOwnershipsForUpdate(db: Db, user_id: string): Promise<Ownership[]> {
  // Locks in the order of ids, so that two deletions at the same time do not deadlock.
  const ids = (await listMemberships(db, user_id)).map(({ developer_id }) => developer_id).sort()
  for (const id of ids) await findDeveloperForUpdate(db, id)
  return await listOwnerships(db, user_id)
}

/**
 * Listens to `account_deleted`: removes the user from all developer accounts. Those without another member are deleted with their clients.
 * Where the user was the only owner, the member with the highest level, and of these the oldest, becomes owner (decision 0022): of those
 * whose account is not disabled, if there is one.
 */
export async function removeUserFromDevelopers(
  deps: TransactionDeps,
  { user_id }: Events['account_deleted'],
): Promise<void> {
  for (const { developer_id, role } of await listOwnershipsForUpdate(deps.db, user_id)) {
    if (role === 'alone') {
      const row = await findDeveloperForUpdate(deps.db, developer_id)
      if (row) await deleteDeveloperWithClients(deps, row)
    } else if (role === 'only_owner') {
      const others = (await listMembers(deps.db, developer_id)).filter((member) => member.user_id !== user_id)
      const levels = await store.findUsableLevels(deps.db, developer_id)
      const usable = others.filter((member) => levels.has(member.user_id))
      const successor = (usable.length > 0 ? usable : others).reduce((best, one) =>
        atLeast(best.permission as Level, one.permission as Level) ? best : one,
      )
      await updatePermission(deps.db, successor.id, 'owner')
    }
  }
}

/**
 * Deletes the invitations to the address of a deleted account. Invitations that a member sent are compared with their level
 * when they are read, and those of an organization are deleted with it.
 */
export const revokeInvitations: Revoker = async ({ db }, revocation) => {
  if (revocation.effect !== 'ends') return
  const user = await findUser(db, required(revocation.user_id, revocation))
  if (user) await deleteInvitationsByEmail(db, user.email)
}

/** Seconds for which the state of an expired invitation can still be read. */
const KEPT = 30 * 24 * 60 * 60

/** Deletes at most `most` invitations that expired more than 30 days ago. Returns their number. */
export async function pruneInvitations(deps: Pick<TransactionDeps, 'db' | 'clock'>, most: number): Promise<number> {
  return await deleteInvitationsBefore(deps.db, timeAfter(deps.clock.now(), -KEPT), most)
}

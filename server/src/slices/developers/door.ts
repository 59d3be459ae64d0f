import { type account, atLeast, type Level } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { timeAfter } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { findUser } from '../account/door.ts'
import { endDeveloper } from './developer.ts'
import { deleteInvitationsTo, deleteOldInvitations } from './invitation-store.ts'
import { findLevel, listDevelopers, listMembers, listMemberships, lockDeveloper, setPermission } from './store.ts'

export { changed, recordInDeveloper } from './activity.ts'
export { holdDeveloper } from './store.ts'

/** Level of a person in an organisation, or null for a stranger; read at every request, so a change counts at once. */
export async function levelOf(db: ReadDb, developer_id: string, user_id: string): Promise<Level | null> {
  return (await findLevel(db, developer_id, user_id)) ?? null
}

/** Organisations of a person, by name; implements the port `Memberships`. */
export async function membershipsOf(db: ReadDb, user_id: string): Promise<account.DeveloperAccount[]> {
  const rows = await listMemberships(db, user_id)
  return rows.map(({ joined_at: _, ...row }) => ({ ...row, permission: row.permission as Level }))
}

/** What people are told about who makes an app. */
export type DeveloperCard = { name: string; logo: string | null; website: string | null }

/** Cards of organisations, by their id. */
export async function developerCards(
  db: ReadDb,
  developer_ids: readonly string[],
): Promise<Map<string, DeveloperCard>> {
  const rows = await listDevelopers(db, developer_ids)
  return new Map(rows.map(({ id, name, logo, website }) => [id, { name, logo, website }]))
}

/** What an archive holds of a person's organisations. */
export async function* organizationsPart(db: ReadDb, user_id: string): AsyncGenerator<object> {
  for (const { developer_id, name, permission, joined_at } of await listMemberships(db, user_id)) {
    yield { developer_id, name, permission, joined_at }
  }
}

/** How an organisation stands to somebody who goes: `alone` in it, its `only_owner`, or free to leave it. */
export interface Standing {
  developer_id: string
  name: string
  role: 'alone' | 'only_owner' | 'free'
}

export async function standings(db: ReadDb, user_id: string): Promise<Standing[]> {
  const memberships = await listMemberships(db, user_id)
  return await Promise.all(
    memberships.map(async ({ developer_id, name }) => {
      const members = await listMembers(db, developer_id)
      const owners = members.filter(({ permission }) => permission === 'owner')
      const others = owners.filter((owner) => owner.user_id !== user_id)
      const alone = members.length === 1
      return {
        developer_id,
        name,
        role: alone ? 'alone' : owners.length > 0 && others.length === 0 ? 'only_owner' : 'free',
      }
    }),
  )
}

/** The same, and nobody changes who belongs to them until this transaction has ended. */
export async function lockStandings(db: Db, user_id: string): Promise<Standing[]> {
  // Always in the same order, so that two who go at once do not wait for each other.
  const ids = (await listMemberships(db, user_id)).map(({ developer_id }) => developer_id).sort()
  for (const id of ids) await lockDeveloper(db, id)
  return await standings(db, user_id)
}

/**
 * Somebody's account is deleted. Organisations of which nobody else is a member go with it, with all their apps; one that
 * would be left without an owner gets whoever has the highest level, the longest there first (decision 0072).
 */
export async function partFrom(deps: Deps, user_id: string): Promise<void> {
  const user = await findUser(deps.db, user_id)
  if (user) await deleteInvitationsTo(deps.db, user.email)
  for (const { developer_id, role } of await lockStandings(deps.db, user_id)) {
    if (role === 'alone') {
      const row = await lockDeveloper(deps.db, developer_id)
      if (row) await endDeveloper(deps, row)
    } else if (role === 'only_owner') {
      const others = (await listMembers(deps.db, developer_id)).filter((member) => member.user_id !== user_id)
      const heir = others.reduce((best, one) =>
        atLeast(best.permission as Level, one.permission as Level) ? best : one,
      )
      await setPermission(deps.db, heir.id, 'owner')
    }
  }
}

/** How long an ended invitation can still be told what became of it. */
const KEPT = 30 * 24 * 60 * 60

/** Deletes up to `most` invitations whose days were over a month ago; answers how many. */
export async function pruneInvitations(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await deleteOldInvitations(deps.db, timeAfter(deps.clock.now(), -KEPT), most)
}

import type { account, Level } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { findLevel, listDevelopers, listMemberships } from './store.ts'

export { holdDeveloper } from './store.ts'

/** Level of a person in an organisation, or null for a stranger; read at every request, so a change counts at once. */
export async function levelOf(db: ReadDb, developer_id: string, user_id: string): Promise<Level | null> {
  return (await findLevel(db, developer_id, user_id)) ?? null
}

/** Organisations of a person, by name; implements the port `Memberships`. */
export async function membershipsOf(db: ReadDb, user_id: string): Promise<account.DeveloperAccount[]> {
  const rows = await listMemberships(db, user_id)
  return rows.map((row) => ({ ...row, permission: row.permission as Level }))
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

import type { adminOrganizations } from '@vrata/contract'
import { type SqlBool, sql } from 'kysely'
import type { ReadDb } from '../../db/open.ts'
import { anywhere, folded } from '../../db/search-text.ts'
import { toFlag } from '../../db/values.ts'

export type OrganizationSelection = {
  id?: string | undefined
  query?: string | undefined
  status?: adminOrganizations.OrganizationStatus | undefined
  /** This one is left out. */
  except: string
}

/** Lists organizations with the numbers of their members and apps, newest first, after the id `after`. */
export async function listOrganizations(
  db: ReadDb,
  { id, query: text, status, except }: OrganizationSelection,
  { after, limit }: { after: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('developers')
    .selectAll('developers')
    .select((e) => [
      e
        .selectFrom('members')
        .select((m) => m.fn.countAll().as('n'))
        .whereRef('members.developer_id', '=', 'developers.id')
        .as('members'),
      e
        .selectFrom('clients')
        .select((c) => c.fn.countAll().as('n'))
        .whereRef('clients.developer_id', '=', 'developers.id')
        .where('clients.deleted_at', 'is', null)
        .as('clients'),
    ])
    .where('developers.deleted_at', 'is', null)
    .where('developers.id', '!=', except)
    .orderBy('developers.id', 'desc')
    .limit(limit)
  if (id !== undefined) query = query.where('developers.id', '=', id)
  if (after !== undefined) query = query.where('developers.id', '<', after)
  if (status === 'pending' || status === 'rejected') query = query.where('developers.approval', '=', status)
  else if (status !== undefined)
    query = query.where('developers.approval', 'is', null).where('developers.enabled', '=', toFlag(status === 'active'))
  if (text) {
    const name = sql<SqlBool>`developers.search like ${anywhere(folded(text))} escape '\\'`
    query = query.where((e) => e.or([name, e('developers.id', '=', text)]))
  }
  return await query.execute()
}

export type OrganizationRow = Awaited<ReturnType<typeof listOrganizations>>[number]

/** Counts the organizations that wait for approval. */
export async function countPendingOrganizations(db: ReadDb): Promise<number> {
  const query = db
    .selectFrom('developers')
    .select((e) => e.fn.countAll().as('n'))
    .where('approval', '=', 'pending')
    .where('deleted_at', 'is', null)
  return Number((await query.executeTakeFirst())?.n ?? 0)
}

/** Members with their accounts. */
export async function listMembersWithAccounts(db: ReadDb, developer_id: string) {
  return await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select([
      'members.id as member_id',
      'members.permission',
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.username',
      'users.email',
      'users.profile_picture',
      'users.email_verified_at',
      'users.disabled_at',
      'account_deletions.due_at',
    ])
    .where('members.developer_id', '=', developer_id)
    .orderBy('members.joined_at')
    .orderBy('members.id')
    .execute()
}

export type MemberWithAccount = Awaited<ReturnType<typeof listMembersWithAccounts>>[number]

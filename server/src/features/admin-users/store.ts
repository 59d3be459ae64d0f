import type { adminUsers } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'

const COLUMNS = [
  'users.id',
  'users.first_name',
  'users.last_name',
  'users.username',
  'users.email',
  'users.email_verified_at',
  'users.profile_picture',
  'users.disabled_at',
  'users.created_at',
] as const

/** Sorts after every term with the same beginning. */
const HIGHEST = '\u{10ffff}'

export interface PeopleSelection {
  /** Beginnings of words; each must match. */
  words: readonly string[]
  id?: string | undefined
  status?: adminUsers.UserStatus | undefined
  /** Key of a group. */
  group?: string | undefined
}

/** Lists people, newest first, after the id `after`. */
export async function listPeople(
  db: ReadDb,
  { words, id, status, group }: PeopleSelection,
  { after, limit }: { after: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('users')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .leftJoin('operators', 'operators.user_id', 'users.id')
    .select(COLUMNS)
    .select(['account_deletions.due_at as deletion_due_at', 'operators.role as operator_role'])
    .orderBy('users.id', 'desc')
    .limit(limit)
  if (after !== undefined) query = query.where('users.id', '<', after)
  if (id !== undefined) query = query.where('users.id', '=', id)
  if (group !== undefined)
    query = query.where('users.id', 'in', (e) =>
      e.selectFrom('group_members').select('group_members.user_id').where('group_members.group_key', '=', group),
    )
  for (const word of words)
    query = query.where('users.id', 'in', (e) =>
      e
        .selectFrom('account_terms')
        .select('account_terms.user_id')
        .where('account_terms.term', '>=', word)
        .where('account_terms.term', '<', word + HIGHEST),
    )
  if (status === undefined) return await query.execute()
  query = query.where('users.disabled_at', status === 'disabled' ? 'is not' : 'is', null)
  if (status === 'disabled') return await query.execute()
  query = query.where('account_deletions.user_id', status === 'deleting' ? 'is not' : 'is', null)
  if (status === 'deleting') return await query.execute()
  return await query.where('users.email_verified_at', status === 'unconfirmed' ? 'is' : 'is not', null).execute()
}

export type PersonRow = Awaited<ReturnType<typeof listPeople>>[number]

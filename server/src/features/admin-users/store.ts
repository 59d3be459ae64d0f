import type { adminUsers } from '@vrata/contract'
import { sql } from 'kysely'
import type { ReadDb } from '../../db/open.ts'
import { begins } from './term-store.ts'

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

export interface PeopleSelection {
  id?: string | undefined
  status?: adminUsers.UserStatus | undefined
  /** Key of a group. */
  group?: string | undefined
}

/** Lists people, newest first, after the id `after`; with `words`, those with each of them. */
export async function listPeople(
  db: ReadDb,
  selection: PeopleSelection & { words: readonly string[] },
  { after, limit }: { after: string | undefined; limit: number },
) {
  let query = peopleOf(db, selection).limit(limit)
  // The table that is read first: a group, or the accounts that are to be deleted, may be few among many.
  const { group, status, words } = selection
  const place = group !== undefined ? 'member.user_id' : status === 'deleting' ? 'due.user_id' : 'users.id'
  query = query.orderBy(sql.ref(place), 'desc')
  if (after !== undefined) query = query.where(sql.ref(place), '<', after)
  for (const word of words)
    query = query.where((e) =>
      e.exists(e.selectFrom('account_terms').select('term').whereRef('user_id', '=', 'users.id').where(begins(word))),
    )
  return await query.execute()
}

/** Finds those of these people who are selected. */
export async function findPeople(db: ReadDb, selection: PeopleSelection, ids: readonly string[]): Promise<PersonRow[]> {
  if (ids.length === 0) return []
  return await peopleOf(db, selection).where('users.id', 'in', ids).execute()
}

function peopleOf(db: ReadDb, { id, status, group }: PeopleSelection) {
  let query = db
    .selectFrom('users')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .leftJoin('operators', 'operators.user_id', 'users.id')
    .select(COLUMNS)
    .select(['account_deletions.due_at as deletion_due_at', 'operators.role as operator_role'])
  if (group !== undefined)
    query = query
      .innerJoin('group_members as member', (join) =>
        join.onRef('member.user_id', '=', 'users.id').on('member.group_key', '=', group),
      )
      .where((e) =>
        // One that is deleted may have members still.
        e.exists(e.selectFrom('groups').select('key').where('key', '=', group).where('deleted_at', 'is', null)),
      ) as typeof query
  if (id !== undefined) query = query.where('users.id', '=', id)
  if (status === undefined) return query
  if (status === 'disabled') return query.where('users.disabled_at', 'is not', null)
  query = query.where('users.disabled_at', 'is', null)
  if (status === 'deleting')
    return query.innerJoin('account_deletions as due', 'due.user_id', 'users.id') as typeof query
  return query
    .where('account_deletions.user_id', 'is', null)
    .where('users.email_verified_at', status === 'unconfirmed' ? 'is' : 'is not', null)
}

export type PersonRow = Awaited<ReturnType<typeof listPeople>>[number]

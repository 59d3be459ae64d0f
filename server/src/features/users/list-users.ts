import type { InputOf, users } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { decodePosition, encodePosition } from '../../http/pagination.ts'
import { findOwnClient } from '../clients/public.ts'
import { searchWords } from '../connections/public.ts'
import { findDeveloperUsers, type SearchableUser, type UserSelection } from './developer-users.ts'
import * as store from './store.ts'

export type Filter = Pick<InputOf<typeof users.listUsers>, 'query' | 'client_id' | 'blocked'>
type Page = { users: users.DeveloperUser[]; next_cursor: string | null }

/** A whole user id, the `sub` of tokens, is a valid query. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Lists one page of the users who are connected to clients of the developer account (api §5.5). */
export async function listUsers(deps: Pick<AppDeps, 'db'>, actor: MemberActor, input: InputOf<typeof users.listUsers>) {
  await requireOwnClient(deps, actor, input)
  const { users, next_cursor } = await listUserPage(deps.db, actor, input, input, input.sort)
  return { data: users, next_cursor }
}

/** Throws `not_found` for a filter by a client of another developer account. */
export async function requireOwnClient(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  { client_id }: Filter,
): Promise<void> {
  if (client_id !== undefined) await findOwnClient(deps, actor, client_id)
}

/** Returns one page of all users or of a search; the two have different cursors. */
export async function listUserPage(
  db: ReadDb,
  { developer_id }: Pick<MemberActor, 'developer_id'>,
  { query, client_id, blocked }: Filter,
  page: { cursor?: string | undefined; limit: number },
  sort: users.UserSort = 'newest',
): Promise<Page> {
  const selection = { developer_id, client_id, blocked }
  if (query && ID.test(query)) {
    const found = await findDeveloperUsers(db, selection, [query.toLowerCase()])
    return { users: toUsers(found.filter(({ user }) => isSelected(user, selection))), next_cursor: null }
  }
  const words = searchWords(query ?? '')
  if (words.length > 0) return await search(db, selection, words, page)
  const found = await listPositions(db, selection, sort, page)
  const shown = found.slice(0, page.limit)
  const users = await findDeveloperUsers(
    db,
    selection,
    shown.map(({ user_id }) => user_id),
  )
  return { users: toUsers(users), next_cursor: found.length > page.limit ? (shown.at(-1)?.place ?? null) : null }
}

/** One position more than the page shows whether there is a next page. */
async function listPositions(
  db: ReadDb,
  selection: store.Selection,
  sort: users.UserSort,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<store.UserPosition[]> {
  if (sort === 'name') {
    const after = cursor === undefined ? undefined : decodePosition(cursor)
    const page = { after, limit: limit + 1 }
    const { client_id } = selection
    const found =
      client_id === undefined
        ? await store.listUsersByName(db, selection, page)
        : await store.listUsersOfClientByName(db, client_id, selection, page)
    return found.map((position) => ({ user_id: position.user_id, place: encodePosition(position) }))
  }
  const order = sort === 'newest' ? 'desc' : 'asc'
  const { client_id } = selection
  if (client_id === undefined)
    return await store.listUsersByTime(db, selection, { after: cursor, limit: limit + 1 }, order)
  const from = cursor === undefined ? undefined : decodePosition(cursor)
  const after = from && { created_at: from.term, user_id: from.user_id }
  const found = await store.listUsersOfClientByTime(db, client_id, selection, { after, limit: limit + 1 }, order)
  return found.map(({ created_at, user_id }) => ({ user_id, place: encodePosition({ term: created_at, user_id }) }))
}

/** Search results, and users of a list, are counted up to these numbers: a count must not grow with the installation. */
const COUNTED_RESULTS = 1000
const COUNTED_USERS = 10_000

/** Counts the users of a filter. What users let be searched is known only when their grants are read. */
export async function countUsers(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  filter: InputOf<typeof users.countUsers>,
) {
  await requireOwnClient(deps, actor, filter)
  const { developer_id } = actor
  if (!filter.query) {
    const { client_id, blocked } = filter
    const count =
      client_id === undefined
        ? await store.countUsersOfDeveloper(deps.db, { developer_id, blocked }, COUNTED_USERS + 1)
        : await store.countUsersOfClient(deps.db, client_id, blocked, COUNTED_USERS + 1)
    return { count: Math.min(count, COUNTED_USERS), more: count > COUNTED_USERS }
  }
  const { users, next_cursor } = await listUserPage(deps.db, actor, filter, { limit: COUNTED_RESULTS })
  return { count: users.length, more: next_cursor !== null }
}

function isSelected({ clients, blocked }: users.DeveloperUser, selection: UserSelection): boolean {
  if (selection.client_id !== undefined && clients.length === 0) return false
  return selection.blocked === undefined || selection.blocked === blocked
}

function toUsers(found: SearchableUser[]): users.DeveloperUser[] {
  return found.map(({ user }) => user)
}

/** Reads until the page is full. Users found by a term that is no longer visible are skipped. */
async function search(
  db: ReadDb,
  selection: UserSelection,
  words: string[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page> {
  // The longest word matches the fewest users.
  const [word = '', ...others] = words.toSorted((a, b) => b.length - a.length)
  const criteria = { developer_id: selection.developer_id, client_id: selection.client_id, word, others }
  const page: users.DeveloperUser[] = []
  let after = cursor === undefined ? undefined : decodePosition(cursor)
  for (;;) {
    const found = await store.listMatchingUsers(db, criteria, { after, limit: limit + 1 })
    const users = await findDeveloperUsers(
      db,
      selection,
      found.map(({ user_id }) => user_id),
    )
    const matching = new Map(
      users
        .filter(({ user, terms }) => matches(terms, words) && isSelected(user, { ...selection, client_id: undefined }))
        .map(({ user }) => [user.id, user]),
    )
    for (const position of found) {
      const user = matching.get(position.user_id)
      if (user && page.length === limit) return { users: page, next_cursor: after ? encodePosition(after) : null }
      if (user) page.push(user)
      after = position
    }
    if (found.length <= limit) return { users: page, next_cursor: null }
  }
}

function matches(terms: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => terms.some((term) => term.startsWith(word)))
}

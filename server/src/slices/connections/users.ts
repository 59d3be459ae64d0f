import { atLeast, type InputOf, problem, type users } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { ownClient } from '../clients/door.ts'
import { levelOf, recordInDeveloper } from '../developers/door.ts'
import { type Known, knownUsers, type Whose, wordsOf } from './known-user.ts'
import * as store from './users-store.ts'

export type Filter = Pick<InputOf<typeof users.listUsers>, 'query' | 'client_id'>
type Page = { users: users.KnownUser[]; next_cursor: string | null }

/** An id stands for itself: what an app calls `sub` can be looked for as it is. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** §6 One page of the people whom the organisation's apps know. */
export async function listUsers(deps: ReadDeps, actor: Member, input: InputOf<typeof users.listUsers>) {
  await refuseForeignApp(deps, actor, input)
  const { users, next_cursor } = await pageOfUsers(deps.db, actor, input, input)
  return { data: users, next_cursor }
}

/** Another organisation's app is not found, like one that does not exist. */
export async function refuseForeignApp(deps: ReadDeps, actor: Member, { client_id }: Filter): Promise<void> {
  if (client_id !== undefined) await ownClient(deps, actor, client_id)
}

/** One page, whatever is asked for; the cursor of a search is not one of the whole list. */
export async function pageOfUsers(
  db: ReadDb,
  { developer_id }: Pick<Member, 'developer_id'>,
  { query, client_id }: Filter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page> {
  const whose: Whose = { developer_id, client_id }
  if (query && ID.test(query)) {
    const found = await knownUsers(db, whose, [query.toLowerCase()])
    return { users: shown(found.filter(({ user }) => !client_id || user.clients.length > 0)), next_cursor: null }
  }
  const words = wordsOf(query ?? '')
  if (words.length > 0) return await search(db, whose, words, { cursor, limit })
  const page = { after: cursor, limit: limit + 1 }
  const found = client_id
    ? await store.listNewestOf(db, client_id, page)
    : await store.listNewest(db, developer_id, page)
  const here = found.slice(0, limit)
  const known = await knownUsers(
    db,
    whose,
    here.map(({ user_id }) => user_id),
  )
  return { users: shown(known), next_cursor: found.length > limit ? (here.at(-1)?.place ?? null) : null }
}

function shown(known: Known[]): users.KnownUser[] {
  return known.map(({ user }) => user)
}

/** Reads on until the page is full: who is found by what they no longer allow is left out. */
async function search(
  db: ReadDb,
  whose: Whose,
  words: string[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page> {
  // The longest word leads to the fewest people.
  const [word = '', ...others] = words.toSorted((a, b) => b.length - a.length)
  const wanted = { developer_id: whose.developer_id, client_id: whose.client_id, word, others }
  const page: users.KnownUser[] = []
  let after = cursor === undefined ? undefined : placeOf(cursor)
  for (;;) {
    const found = await store.listMatching(db, wanted, { after, limit: limit + 1 })
    const known = await knownUsers(
      db,
      whose,
      found.map(({ user_id }) => user_id),
    )
    const matching = new Map(known.filter(({ terms }) => matches(terms, words)).map(({ user }) => [user.id, user]))
    for (const place of found) {
      const user = matching.get(place.user_id)
      if (user && page.length === limit) return { users: page, next_cursor: after ? cursorOf(after) : null }
      if (user) page.push(user)
      after = place
    }
    if (found.length <= limit) return { users: page, next_cursor: null }
  }
}

function matches(terms: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => terms.some((term) => term.startsWith(word)))
}

function cursorOf({ user_id, term }: store.SearchPlace): string {
  return Buffer.from(`${user_id} ${term}`).toString('base64url')
}

/** A cursor is ours or nonsense; it can name no more than a place in the organisation's own list. */
function placeOf(cursor: string): store.SearchPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const space = text.indexOf(' ')
  if (space < 1 || text.includes('\0')) throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  return { user_id: text.slice(0, space), term: text.slice(space + 1) }
}

/**
 * Blocks somebody from all apps of the organisation, those to come as well, or lets them in again. What they allowed is
 * kept; their codes and tokens end in this same transaction (decision 0113).
 */
export async function setUserBlocked(
  deps: Deps,
  actor: Member,
  { id, blocked }: InputOf<typeof users.setUserBlocked>,
): Promise<users.KnownUser> {
  const { developer_id } = actor
  const row = await store.lockDeveloperUser(deps.db, developer_id, id)
  if (!row) throw problem('not_found')
  // Nobody acts on a member of their own level or above, owners excepted (api.md §5).
  const level = await levelOf(deps.db, developer_id, id)
  if (actor.permission !== 'owner' && level && atLeast(level, actor.permission)) {
    throw problem('insufficient_level', { params: { needed: level } })
  }
  if (blocked !== (row.blocked_at !== null)) {
    const blocked_at = blocked ? toTime(deps.clock.now()) : null
    const connection_ids = await store.setBlockedAt(deps.db, developer_id, id, blocked_at)
    if (blocked) await deps.tell('user_blocked', { user_id: id, connection_ids })
    await recordInDeveloper(deps, actor, blocked ? 'BLOCKED_USER' : 'UNBLOCKED_USER', { user: id })
  }
  const [known] = await knownUsers(deps.db, { developer_id }, [id])
  if (!known) throw problem('not_found')
  return known.user
}

import type { Db } from '../../db/open.ts'
import { folded, HIGHEST } from '../../db/search-text.ts'
import { fromJson } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { newId } from '../../lib/ids.ts'
import { findUser, type User, withParts } from '../account/public.ts'
import * as store from './developer-user-store.ts'

/** Returns the words by which a user with these granted scopes is found. */
export function searchTerms(user: User, scopes: ReadonlySet<string>): string[] {
  const names = scopes.has('profile') ? [user.first_name, user.last_name, user.username ?? ''] : []
  const words = [...withParts(names), scopes.has('email') ? user.email : ''].flatMap(searchWords)
  return [...new Set(words)]
}

/** Sorts users without a name after all others. */
const NAMELESS = HIGHEST

/** Returns the folded name by which a user with these granted scopes is sorted. */
function sortName({ first_name, last_name, username }: User, scopes: ReadonlySet<string>): string {
  const name = [first_name, last_name].filter(Boolean).join(' ') || username
  return scopes.has('profile') && name ? folded(name) : NAMELESS
}

/** Splits a text into folded words: `Kovač` becomes `kovac`. */
export function searchWords(text: string): string[] {
  return folded(text).split(/\s+/).filter(Boolean)
}

/**
 * Creates or locks the row of a user in a developer account. Every change of grants or of the block locks it before the
 * connection; otherwise two concurrent changes could overwrite the search terms of each other (decision 0012).
 */
async function lockDeveloperUser(
  { db, clock }: Pick<TransactionDeps, 'db' | 'clock'>,
  developer_id: string,
  user_id: string,
): Promise<store.DeveloperUserRow> {
  const row = { developer_id, user_id, id: newId(clock), blocked_at: null, sort_name: NAMELESS }
  return await store.upsertDeveloperUserForUpdate(db, row)
}

/**
 * Updates the search terms of a locked row after grants of the user have changed; deletes the row without grants. The
 * terms include scopes that the clients no longer request: readers compare them with the allowed scopes.
 */
export async function updateSearchTerms(
  db: Db,
  { developer_id, user_id, blocked_at }: store.DeveloperUserRow,
): Promise<void> {
  const clients = await store.listGrantedClients(db, { developer_id }, [user_id])
  if (clients.length === 0 && blocked_at === null) return await store.deleteDeveloperUser(db, developer_id, user_id)
  const user = await findUser(db, user_id)
  if (!user) return
  const scopes = new Set(clients.flatMap((one) => fromJson<string[]>(one.scopes)))
  await store.replaceSearchTerms(db, developer_id, user_id, searchTerms(user, scopes))
  const sort_name = sortName(user, scopes)
  const renamed = clients.filter((one) => one.sort_name !== sort_name).map(({ id }) => id)
  await store.updateSortName(db, { developer_id, user_id }, sort_name, renamed)
}

/** Names connections of former versions, up to `most` of them. Returns how many lacked a name. */
export async function nameConnections({ db }: Pick<TransactionDeps, 'db'>, most: number): Promise<number> {
  return await store.fillSortNames(db, NAMELESS, most)
}

/** Locks the row of a user in the developer account of a client. Returns undefined when the client is deleted. */
export async function lockDeveloperUserOfClient(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  client_id: string,
  user_id: string,
): Promise<store.DeveloperUserRow | undefined> {
  const developer_id = await store.findDeveloperOfClient(deps.db, client_id)
  return developer_id ? await lockDeveloperUser(deps, developer_id, user_id) : undefined
}

/** Listens to `account_changed`: updates the search terms to the new name and address. */
export async function onAccountChanged(deps: TransactionDeps, { user_id }: Events['account_changed']): Promise<void> {
  const developers = await store.listDevelopersOfUser(deps.db, user_id)
  const rows: store.DeveloperUserRow[] = []
  for (const developer_id of developers.sort()) rows.push(await lockDeveloperUser(deps, developer_id, user_id))
  for (const row of rows) await updateSearchTerms(deps.db, row)
}

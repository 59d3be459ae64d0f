import type { users } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { folded } from '../../db/search-text.ts'
import { fromJson } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { newId } from '../../ports/ids.ts'
import { findUser, findUsers, type User } from '../account/door.ts'
import { holdConnectionsOf } from './store.ts'
import * as store from './users-store.ts'

/** Which people an organisation asks about: all of its own, or those of one app. */
export type Whose = { developer_id: string; client_id?: string | undefined }

type Shown = Pick<users.KnownUser, 'name' | 'email' | 'profile_picture'>

/** What these scopes let an app see of somebody, as far as the list of users shows it. */
function shownOf(user: User, scopes: ReadonlySet<string>): Shown {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username
  return {
    ...(scopes.has('profile') ? { ...(name ? { name } : {}), profile_picture: user.profile_picture } : {}),
    ...(scopes.has('email') ? { email: user.email } : {}),
  }
}

/** The words by which somebody is found who allows these scopes. */
function termsOf(user: User, scopes: ReadonlySet<string>): string[] {
  const names = scopes.has('profile') ? [user.first_name, user.last_name, user.username ?? ''] : []
  const words = [...names, scopes.has('email') ? user.email : ''].flatMap(wordsOf)
  return [...new Set(words)]
}

/** `Kovač` is found as `kovac`, too. */
export function wordsOf(text: string): string[] {
  return folded(text).split(/\s+/).filter(Boolean)
}

/** Somebody with what is shown of them, and what they may be found by. */
export type Known = { user: users.KnownUser; terms: string[] }

/** These people in their order, with what they allow now, and the app may still ask for; nothing else of them is shown. */
export async function knownUsers(db: ReadDb, whose: Whose, user_ids: readonly string[]): Promise<Known[]> {
  const [people, allowances, rows] = await Promise.all([
    findUsers(db, user_ids),
    store.listAllowances(db, whose, user_ids),
    store.listDeveloperUsers(db, whose.developer_id, user_ids),
  ])
  const byId = new Map(people.map((user) => [user.id, user]))
  const blocked = new Map(rows.map((row) => [row.user_id, row.blocked_at !== null]))
  const allowed = Map.groupBy(allowances, ({ user_id }) => user_id)
  return user_ids.flatMap((id) => {
    const user = byId.get(id)
    if (!user || !blocked.has(id)) return []
    const own = allowed.get(id) ?? []
    const scopes = new Set(own.flatMap(liveScopes))
    const clients = own.map(({ client_id, name, icon, connected_at, last_used_at }) => {
      return { client_id, name, icon, connected_at, last_used_at }
    })
    return {
      user: { id, ...shownOf(user, scopes), clients, blocked: blocked.get(id) === true },
      terms: termsOf(user, scopes),
    }
  })
}

/** How an organisation may call people today (`ports/known-people.ts`); who allows neither name nor address is left out. */
export async function namesOf(db: ReadDb, developer_id: string, ids: readonly string[]): Promise<Map<string, string>> {
  const known = ids.length > 0 ? await knownUsers(db, { developer_id }, ids) : []
  return new Map(
    known.flatMap(({ user: { id, name = undefined, email = undefined } }) => {
      const called = name ?? email
      return called ? [[id, called] as const] : []
    }),
  )
}

function liveScopes({ scopes, client_scopes }: store.Allowance): string[] {
  const asked = new Set(fromJson<string[]>(client_scopes))
  return fromJson<string[]>(scopes).filter((scope) => asked.has(scope))
}

/**
 * The line of an organisation's list about one person, held until the transaction has ended. Whoever changes what that
 * person allows its apps, or blocks them, holds it before the connection: two who did not see each other would leave terms
 * of neither.
 */
export async function holdKnownUser(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  developer_id: string,
  user_id: string,
): Promise<store.DeveloperUserRow> {
  return await store.holdDeveloperUser(db, { developer_id, user_id, id: newId(clock), blocked_at: null })
}

/**
 * Puts a line that is held right, after what the person allows the organisation's apps has changed. The terms are those of
 * all that was ever allowed and not taken back: whoever reads them compares with what is allowed now.
 */
export async function indexUser(db: Db, { developer_id, user_id, blocked_at }: store.DeveloperUserRow): Promise<void> {
  const allowances = await store.listAllowances(db, { developer_id }, [user_id])
  if (allowances.length === 0 && blocked_at === null) return await store.deleteDeveloperUser(db, developer_id, user_id)
  const user = await findUser(db, user_id)
  if (!user) return
  const scopes = new Set(allowances.flatMap((one) => fromJson<string[]>(one.scopes)))
  await store.replaceTerms(db, developer_id, user_id, termsOf(user, scopes))
}

/** The line of the organisation of an app, held; undefined when the app is gone. */
export async function holdKnownUserOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  client_id: string,
  user_id: string,
): Promise<store.DeveloperUserRow | undefined> {
  const developer_id = await store.developerOfClient(deps.db, client_id)
  return developer_id ? await holdKnownUser(deps, developer_id, user_id) : undefined
}

/** Listens to `account_changed`: somebody is found by their new name, and not by the old one. */
export async function onAccountChanged(deps: Deps, { user_id }: Events['account_changed']): Promise<void> {
  const developers = await store.listDevelopersKnowing(deps.db, user_id)
  for (const developer_id of developers.sort())
    await indexUser(deps.db, await holdKnownUser(deps, developer_id, user_id))
}

/**
 * Listens to `client_deleted`, while the app still stands. All that people have with it is held before its tokens go, as
 * they and its renewals hold it (decision 0197).
 */
export async function onClientDeleted({ db }: { db: Db }, { client_id }: Events['client_deleted']): Promise<void> {
  const developer_id = await store.developerOfClient(db, client_id)
  if (!developer_id) return
  await store.holdUsersOfClient(db, developer_id, client_id)
  await holdConnectionsOf(db, client_id)
  await store.deleteUsersOfClient(db, developer_id, client_id)
}

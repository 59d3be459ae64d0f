import type { users } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import { findUsers, type User } from '../account/public.ts'
import { allowedScopes, listDeveloperUsers, listGrantedClients, searchTerms } from '../connections/public.ts'

/** Users of a developer account, or of one of its clients. */
export type UserSelection = {
  developer_id: string
  client_id?: string | undefined
  blocked?: boolean | undefined
}

type VisibleProfile = Pick<users.DeveloperUser, 'name' | 'email' | 'profile_picture'>

/** Returns the part of the profile that the allowed scopes make visible in the list of users. */
function visibleProfile(user: User, scopes: ReadonlySet<string>): VisibleProfile {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username
  return {
    ...(scopes.has('profile') ? { ...(name ? { name } : {}), profile_picture: user.profile_picture } : {}),
    ...(scopes.has('email') ? { email: user.email } : {}),
  }
}

/** A user of a developer account with the terms by which a search may find them. */
export type SearchableUser = { user: users.DeveloperUser; terms: string[] }

/** Returns users in the order of `user_ids`, with only what their allowed scopes make visible. */
export async function findDeveloperUsers(
  db: ReadDb,
  selection: UserSelection,
  user_ids: readonly string[],
): Promise<SearchableUser[]> {
  const [users, grantedClients, rows] = await Promise.all([
    findUsers(db, user_ids),
    listGrantedClients(db, selection, user_ids),
    listDeveloperUsers(db, selection.developer_id, user_ids),
  ])
  const byId = new Map(users.map((user) => [user.id, user]))
  const blocked = new Map(rows.map((row) => [row.user_id, row.blocked_at !== null]))
  const byUser = Map.groupBy(grantedClients, ({ user_id }) => user_id)
  return user_ids.flatMap((id) => {
    const user = byId.get(id)
    if (!user || !blocked.has(id)) return []
    const own = byUser.get(id) ?? []
    const scopes = new Set(
      own.flatMap(({ scopes, client_scopes }) =>
        allowedScopes(fromJson<string[]>(scopes), fromJson<string[]>(client_scopes)),
      ),
    )
    const clients = own.map(({ client_id, name, icon, connected_at, last_used_at }) => {
      return { client_id, name, icon, connected_at, last_used_at }
    })
    return {
      user: { id, ...visibleProfile(user, scopes), clients, blocked: blocked.get(id) === true },
      terms: searchTerms(user, scopes),
    }
  })
}

/** Implements `DeveloperUserNames`: returns names or email addresses; users who let neither be seen are left out. */
export async function findDeveloperUserNames(
  db: ReadDb,
  developer_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const users = ids.length > 0 ? await findDeveloperUsers(db, { developer_id }, ids) : []
  return new Map(
    users.flatMap(({ user: { id, name = undefined, email = undefined } }) => {
      const visibleName = name ?? email
      return visibleName ? [[id, visibleName] as const] : []
    }),
  )
}

import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { dayOf, publicClients, type Use } from '../clients/door.ts'
import { forgetScope } from './scope-store.ts'
import { type ConnectionRow, findConnection, hasOtherUse, listConnections, noteUse } from './store.ts'
import { unlink } from './unlink.ts'

export { namesOf, onAccountChanged, onClientDeleted } from './known-user.ts'
export { countPeople } from './scope-store.ts'
export { isBlocked } from './users-store.ts'

/** What a person has allowed an app, and declined. The engine gives no more than this and what the app may still ask for. */
export interface Connection {
  id: string
  scopes: string[]
  declined: string[]
  blocked: boolean
  last_used_at: string | null
}

export async function connectionOf(db: ReadDb, user_id: string, client_id: string): Promise<Connection | undefined> {
  const row = await findConnection(db, user_id, client_id)
  return row && toConnection(row)
}

/** For whoever has read the row together with another. */
export function toConnection(
  row: Pick<ConnectionRow, 'id' | 'scopes' | 'declined' | 'blocked_at' | 'last_used_at'>,
): Connection {
  return {
    id: row.id,
    scopes: fromJson<string[]>(row.scopes),
    declined: fromJson<string[]>(row.declined),
    blocked: row.blocked_at !== null,
    last_used_at: row.last_used_at,
  }
}

/** What an archive holds of the apps that somebody has allowed. */
export async function* connectionsPart(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const rows = await listConnections(db, user_id)
  const apps = await publicClients(
    db,
    rows.map(({ client_id }) => client_id),
  )
  for (const { client_id, scopes, created_at, last_used_at } of rows) {
    const name = apps.get(client_id)?.card.name ?? null
    yield { client_id, name, scopes: fromJson<string[]>(scopes), created_at, last_used_at }
  }
}

export async function countConnections(db: ReadDb, user_id: string): Promise<number> {
  return (await listConnections(db, user_id)).length
}

/** Unlinks every app of a person; who hears of it ends their tokens in this same transaction. */
export async function endConnectionsOf(deps: Deps, user_id: string): Promise<void> {
  for (const { client_id } of await listConnections(deps.db, user_id)) await unlink(deps, user_id, client_id)
}

/** Listens to `scopes_removed`: from now on nobody allows them to any app. */
export async function onScopesRemoved({ db }: Deps, { keys }: Events['scopes_removed']): Promise<void> {
  for (const key of keys) await forgetScope(db, key)
}

/** Seconds within which a further use is not worth a write. */
const USE_NOTED_EVERY = 60

/** A connection that an app has just used: its person signed in, or the app renewed its tokens. */
export interface UsedConnection {
  /** As it was read a moment ago. */
  connection: Pick<Connection, 'id' | 'last_used_at'>
  client: { client_id: string; developer_id: string }
  at: Date
  signed_in: boolean
}

/**
 * Notes that the app has used the connection, at most once a minute; answers what is to be counted among the figures of
 * the day. When it was used last tells who was active on a day already, so that no list of people is kept for it
 * (decision 0112).
 */
export async function useConnection(db: Db, { connection, client, at, signed_in }: UsedConnection): Promise<Use> {
  const { id, last_used_at } = connection
  const [today, lately] = [dayOf(at), timeAfter(at, -USE_NOTED_EVERY)]
  const first = isBefore(last_used_at, today) ? await noteUse(db, id, toTime(at), today) : undefined
  if (!first && isBefore(last_used_at, lately)) await noteUse(db, id, toTime(at), lately)
  const developer = first !== undefined && !(await hasOtherUse(db, { id, ...first, ...client, since: today }))
  return { ...client, at, signed_in, first: { client: first !== undefined, developer } }
}

/** A use that is noted stays noted: what was read a moment ago may spare the writes, which ask again. */
function isBefore(last_used_at: string | null, since: string): boolean {
  return last_used_at === null || last_used_at < since
}

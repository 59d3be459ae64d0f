import { prepare, prepareUnchanged } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import { currentGroups } from '../../features/groups/public.ts'
import { selectByToken } from '../../features/sessions/public.ts'
import { CLAIM_COLUMNS } from '../tokens/claims.ts'
import { type CurrentColumns, isChanging, readCurrent, STORED } from './current-columns.ts'

export type SignedInBy = { token_hash: string; client_id: string; now: string }

/** Columns that native answers need. */
const SESSION_COLUMNS = [
  'id',
  'user_id',
  'token_hash',
  'previous_until',
  'authenticated_at',
  'methods',
  'next_step',
  'idle_until',
  'expires_at',
] as const

/** The id of the user is `user_id`: the session has an id, too. */
const USER_COLUMNS = CLAIM_COLUMNS.filter((column) => column !== 'id').map((column) => `users.${column}` as const)

const selectSignedIn =
  (columns: CurrentColumns) =>
  (db: ReadDb, { token_hash, client_id, now }: SignedInBy) =>
    selectByToken(db, SESSION_COLUMNS, { token_hash, now })
      .leftJoin('connections', (on) =>
        on.onRef('connections.user_id', '=', 'sessions.user_id').on('connections.client_id', '=', client_id),
      )
      .leftJoin('session_clients', (on) =>
        on.onRef('session_clients.session_id', '=', 'sessions.id').on('session_clients.client_id', '=', client_id),
      )
      .select('session_clients.signed_in_at')
      .select([...USER_COLUMNS, columns.groups().as('groups'), isChanging().as('changing')])
      .select(['users.disabled_at', 'users.token_generation'])
      .select(['connections.id as connection_id', 'connections.scopes', 'connections.declined'])
      .select(['connections.blocked_at', 'connections.last_used_at', columns.accessLostAt().as('access_lost_at')])

const read = readCurrent((columns) => prepare(selectSignedIn(columns)))

/** A live session by its current or former token, with its user, their connection to the client, and the last sign-in of the session to it; null without one. */
export async function findSignedIn(db: ReadDb, by: SignedInBy) {
  return await read(db, by)
}
export type SignedInRow = NonNullable<Awaited<ReturnType<typeof findSignedIn>>>

/** A guard that holds while `findSignedIn` would answer with this row, with nothing changed and nothing changing. */
export const unchangedSignedIn = prepareUnchanged<SignedInBy, SignedInRow>(selectSignedIn(STORED))

const byId = prepare((db, { id }: { id: string }) =>
  db
    .selectFrom('users')
    .select(['users.id', ...USER_COLUMNS, currentGroups().as('groups')])
    .select(['users.disabled_at', 'users.token_generation'])
    .where('users.id', '=', id),
)

/** A user with what becomes claims. */
export async function findClaims(db: ReadDb, id: string) {
  return await byId.first(db, { id })
}

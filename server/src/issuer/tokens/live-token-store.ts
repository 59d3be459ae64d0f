import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../db/open.ts'
import { areGroupsChanging } from '../../features/groups/public.ts'
import { sessionEndedAt } from '../../features/sessions/public.ts'
import { type CurrentColumns, readCurrent } from '../request/current-columns.ts'
import { CLAIM_COLUMNS } from './claims.ts'

type By = { hash: string; now: string }

const KINDS = ['AccessToken', 'RefreshToken', 'ClientCredentials'] as const

/** Columns without those of claims, which introspection does not need. */
const selectByHash = (db: ReadDb, { hash, now }: By) =>
  db
    .selectFrom('tokens')
    .innerJoin('clients', 'clients.client_id', 'tokens.client_id')
    .leftJoin('connections', 'connections.id', 'tokens.connection_id')
    .leftJoin('clients as allowed_clients', 'allowed_clients.client_id', 'connections.client_id')
    .leftJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('sessions', 'sessions.id', 'tokens.session_id')
    .select(['tokens.kind', 'tokens.payload', 'tokens.created_at', 'tokens.expires_at', 'tokens.client_id'])
    .select([
      'tokens.grant_id',
      'clients.scopes as client_scopes',
      'clients.sector_identifier',
      'connections.scopes as allowed',
    ])
    .select(['connections.client_id as allowed_client_id', 'allowed_clients.scopes as allowed_client_scopes'])
    .select(['connections.access_lost_at', 'allowed_clients.access_change as allowed_access_change'])
    .select([sessionEndedAt().as('ended_at'), 'sessions.idle_until', 'sessions.expires_at as session_expires_at'])
    .select('users.id')
    .where('tokens.token_hash', '=', hash)
    // Not `in`: SQLite makes a temporary index of three or more values each time the statement runs.
    .where((e) => e.or(KINDS.map((kind) => e('tokens.kind', '=', kind))))
    // Only tokens of the client credentials grant have no user and no connection.
    .where((e) =>
      e.or([
        e('tokens.kind', '=', 'ClientCredentials'),
        e.and([e('allowed_clients.enabled', '=', 1), e('users.id', 'is not', null)]),
      ]),
    )
    .where('tokens.expires_at', '>', now)
    .where('tokens.consumed_at', 'is', null)
    .where('clients.enabled', '=', 1)
    // Tokens of an app that was disabled, until they are deleted.
    .where((e) =>
      e.and(
        (['clients', 'allowed_clients'] as const).map((client) =>
          e.or([
            e(`${client}.tokens_ended_at`, 'is', null),
            e(`${client}.tokens_ended_at`, '<', e.ref('tokens.created_at')),
          ]),
        ),
      ),
    )
    .where('connections.blocked_at', 'is', null)
    .where('users.disabled_at', 'is', null)

const byHash = prepare(selectByHash)

const withClaims = (columns: CurrentColumns) =>
  prepare((db, by: By) =>
    selectByHash(db, by)
      .select([...CLAIM_COLUMNS.map((column) => `users.${column}` as const), columns.groups().as('groups')])
      .select(areGroupsChanging().as('changing')),
  )

const readWithClaims = readCurrent(withClaims)

/**
 * Returns an access or refresh token with its client, session, connection and user in one read, because userinfo and
 * introspection are called far more often than all other endpoints (protocol §4.7). `allowed_client_id` is the client that
 * the user has allowed; an exchanged token belongs to another one (decision 0094), and both must be enabled.
 */
export async function readToken(db: ReadDb, hash: string, now: string) {
  return await byHash.first(db, { hash, now })
}

/** The same with what becomes claims. */
export async function readTokenWithClaims(db: ReadDb, hash: string, now: string) {
  return await readWithClaims(db, { hash, now })
}

/** Returns the client and the expiry of a token that may have expired or ended, as long as its row has not been deleted. */
export async function findTokenOfAnyState(db: ReadDb, hash: string) {
  const query = db.selectFrom('tokens').select(['client_id', 'expires_at']).where('token_hash', '=', hash)
  return await query.executeTakeFirst()
}

export type ReadToken = NonNullable<Awaited<ReturnType<typeof readToken>>>

/** Returns those of the scopes that the client has defined, as their resource server. */
export async function listScopesDefinedBy(
  db: ReadDb,
  client_id: string,
  scopes: readonly string[],
): Promise<Set<string>> {
  if (scopes.length === 0) return new Set()
  const rows = await db
    .selectFrom('scopes')
    .select('key')
    .where('client_id', '=', client_id)
    .where('key', 'in', scopes)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

import { LIFETIMES } from '@vrata/contract'
import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, Guard, ReadDb } from '../../db/open.ts'
import { fromJson, toJson } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { accessLostAt, connectionGuard, type UseTime } from '../../features/connections/public.ts'
import { hashToken, newId } from '../../lib/ids.ts'
import { findProviderModel, newProviderModelRow, upsertProviderModel } from '../provider/provider-model-store.ts'

const sessionForShare = prepare((db, { id }: { id: string }) =>
  db.selectFrom('sessions').select(['ended_at', 'user_id']).where('id', '=', id).forShare(),
)
const connectionForUpdate = prepare((db, { id }: { id: string }) =>
  db
    .selectFrom('connections')
    .select(['blocked_at', accessLostAt().as('access_lost_at')])
    .where('id', '=', id)
    .forNoKeyUpdate(),
)

/**
 * Locks the session and the connection of a grant until the transaction ends, so that a transaction that ends one of them
 * finds the tokens created meanwhile. Returns false when the session has ended, or the connection is deleted, blocked
 * or left out by the rule of its client. The connection is locked for update, because the same transaction may write its last use; shared locks
 * would deadlock (decision 0012).
 */
export async function selectGrantForUpdate(
  db: Db,
  { session_id, connection_id }: { session_id: string; connection_id: string },
): Promise<boolean> {
  const [session, connection] = await Promise.all([
    sessionForShare.first(db, { id: session_id }),
    connectionForUpdate.first(db, { id: connection_id }),
  ])
  return session?.ended_at == null && connection?.blocked_at === null && connection.access_lost_at === null
}

const live = (db: Db, id: string) =>
  db
    .selectFrom('sessions')
    .select((e) => e('ended_at', 'is', null).as('holds'))
    .where('id', '=', id)
const liveSession = prepare((db, { id }: { id: string }) => live(db, id))
const liveSessionForShare = prepare((db, { id }: { id: string }) => live(db, id).forShare())

/**
 * `selectGrantForUpdate` as guards, of which one writes the last use of the connection. A token may outlive the row of its session. They do not
 * hold while the rule of the client is changing: the transaction that follows asks the rule. The session is not locked where a token of the grant
 * is consumed: what ends the session deletes this token, waits for it, and then finds the new ones (decision 0012).
 */
export function grantGuards(
  { session_id, connection_id }: { session_id: string; connection_id: string },
  { isConsumed, use }: { isConsumed: boolean; use: UseTime | undefined },
): Guard[] {
  const session = isConsumed ? liveSession : liveSessionForShare
  return [{ statement: session.with({ id: session_id }), missing: true }, connectionGuard(connection_id, use)]
}

/** Seconds for which a JWT of a former generation may live, by the clock of any server. */
const KEPT_FOR = LIFETIMES.access_token_max + 60

/**
 * Returns the generation of a grant, which its JWT access tokens carry because they have no rows. Undefined while no such token can be of a
 * former one. It is an id and no time, because the clocks of servers differ (decision 0055).
 */
export async function findGrantGeneration(db: ReadDb, grant_id: string, now: string): Promise<string | undefined> {
  const row = await findProviderModel(db, 'EndedGrant', endedGrantHash(grant_id), now)
  return row && fromJson<{ generation: string }>(row.payload).generation
}

/** Ends the JWT access tokens of a grant that the transaction has locked. */
export async function renewGrantGeneration(
  { db, clock }: Pick<TransactionDeps, 'db' | 'clock'>,
  grant_id: string,
): Promise<void> {
  const row = newProviderModelRow('EndedGrant', endedGrantHash(grant_id), clock.now(), KEPT_FOR)
  await upsertProviderModel(db, { ...row, payload: toJson({ generation: newId(clock) }) })
}

const endedGrantHash = (grant_id: string) => hashToken(`ended-grant/${grant_id}`)

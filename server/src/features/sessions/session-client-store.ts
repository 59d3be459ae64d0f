import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb, Statement } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import { inBatches } from '../../lib/batches.ts'

/** Seconds between two writes of the last sign-in. */
const SIGN_IN_INTERVAL = 60

/** A sign-in of a session to a client. */
export interface ClientSignIn {
  /** Null for a device that signs in without a session. */
  session_id: string | null
  client_id: string
  at: Date
}

const upsert = prepare((db, row: { session_id: string; client_id: string; at: string; since: string }) =>
  db
    .insertInto('session_clients')
    .values({ session_id: row.session_id, client_id: row.client_id, signed_in_at: row.at })
    .onConflict((c) =>
      c
        .columns(['session_id', 'client_id'])
        .doUpdateSet((e) => ({ signed_in_at: e.ref('excluded.signed_in_at') }))
        .where('session_clients.signed_in_at', '<', row.since),
    ),
)

/** Records that a session has signed in to a client, which then hears of its end (decision 0042). */
export async function recordSessionClient(db: Db, signIn: ClientSignIn): Promise<void> {
  const row = rowOf(signIn)
  if (row) await upsert.changed(db, row)
}

/** `recordSessionClient` as statements; none where the time `known`, which was read before, is recent. */
export function sessionClientStatements(signIn: ClientSignIn, known: string | null): Statement[] {
  const row = rowOf(signIn)
  return row && signedInAfter(known, signIn.at) !== known ? [upsert.with(row)] : []
}

/** The time that is stored after a sign-in, by the one before it. */
export function signedInAfter(known: string | null, at: Date): string {
  return known !== null && known >= timeAfter(at, -SIGN_IN_INTERVAL) ? known : toTime(at)
}

function rowOf({ session_id, client_id, at }: ClientSignIn) {
  return session_id === null
    ? undefined
    : { session_id, client_id, at: toTime(at), since: timeAfter(at, -SIGN_IN_INTERVAL) }
}

/** Clients that these sessions have signed in to, also deleted ones; the latest of each session first. */
export async function listSessionClients(
  db: ReadDb,
  session_ids: readonly string[],
): Promise<{ session_id: string; client_id: string }[]> {
  const query = db.selectFrom('session_clients').select(['session_id', 'client_id']).orderBy('signed_in_at', 'desc')
  return await inBatches(session_ids, (some) => query.where('session_id', 'in', some).execute())
}

/** Whether a session has signed in to a client. */
export async function hasSignedInTo(db: ReadDb, session_id: string, client_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('session_clients')
    .select('client_id')
    .where('session_id', '=', session_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
  return row !== undefined
}

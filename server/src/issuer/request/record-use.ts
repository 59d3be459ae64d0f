import type { TransactionDeps } from '../../deps.ts'
import { recordActivity } from '../../features/activity/public.ts'
import { recordConnectionUse } from '../../features/connections/public.ts'
import { type ClientUse, recordClientUse } from '../../features/statistics/public.ts'
import type { ProviderRequest } from './provider-request.ts'

/** Records in the user's activity that they signed in to the client. */
export function recordSignIn(
  request: ProviderRequest,
  signIn: { user_id: string; session_id: string | null; client_id: string },
): void {
  request.writes.push((deps: TransactionDeps) =>
    recordActivity(deps, { type: 'LOGGED_IN_TO_APP', ...signIn, from: request.options.visitor() }),
  )
}

/**
 * Records that the client used its connection to the user. The connection is locked first and the client last, as when a client is
 * deleted (decision 0012): `recordConnectionUse` tells what `recordClientUse` adds to the client's statistics.
 */
export function recordUse(
  { reads, now, lockingWrites, finalWrites }: ProviderRequest,
  { client_id, user_id, signed_in }: { client_id: string; user_id: string; signed_in: boolean },
): void {
  let use: ClientUse | undefined
  lockingWrites.push(async ({ db }) => {
    const [client, connection] = await Promise.all([reads.client(client_id), reads.connection(user_id, client_id)])
    if (client && connection) use = await recordConnectionUse(db, { connection, client, at: now, signed_in })
  })
  finalWrites.push(async ({ db }) => {
    if (use) await recordClientUse(db, use)
  })
}

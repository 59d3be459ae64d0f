import type { ReadDb } from '../../db/open.ts'
import { activityStatements, hasAppSignIn, recordActivity } from '../../features/activity/public.ts'
import { recordConnectionUse, unwrittenUse } from '../../features/connections/public.ts'
import { type ClientUse, clientUseStatements, recordClientUse } from '../../features/statistics/public.ts'
import type { ProviderRequest } from './provider-request.ts'
import { writeAs } from './writes.ts'

/** Records in the user's activity that they signed in to the client. */
export function recordSignIn(
  request: ProviderRequest,
  signIn: { user_id: string; session_id: string | null; client_id: string },
): void {
  const happening = () => ({ type: 'LOGGED_IN_TO_APP', ...signIn, from: request.options.visitor() }) as const
  request.writes.push(
    writeAs(
      (deps) => activityStatements(deps, happening()),
      (deps) => recordActivity(deps, happening()),
    ),
  )
}

/**
 * Records the first silent authentication of a session at the client as a sign-in: the client may keep a session of its own, of whose end it has to be told
 * (decision 0042). Later ones only ask whether someone is still signed in.
 */
export function recordSilentSignIn(
  request: ProviderRequest,
  signIn: { user_id: string; session_id: string; client_id: string },
): void {
  const happening = () => ({ type: 'LOGGED_IN_TO_APP', ...signIn, from: request.options.visitor() }) as const
  const isKnown = (db: ReadDb) => hasAppSignIn(db, signIn.session_id, signIn.client_id)
  request.writes.push(
    writeAs(
      async (deps) => ((await isKnown(deps.db)) ? {} : await activityStatements(deps, happening())),
      async (deps) => {
        if (!(await isKnown(deps.db))) await recordActivity(deps, happening())
      },
    ),
  )
}

/**
 * Records that the client used its connection to the user. The connection is locked first and the client last, as when a client is
 * deleted (decision 0012): `recordConnectionUse` tells what `recordClientUse` adds to the client's statistics.
 */
export function recordUse(
  { reads, now, tokens, lockingWrites, finalWrites }: ProviderRequest,
  { client_id, user_id, signed_in }: { client_id: string; user_id: string; signed_in: boolean },
): void {
  let use: ClientUse | undefined
  const read = () => Promise.all([reads.client(client_id), reads.connection(user_id, client_id)])
  // Named first: V8 makes a function that is written where it is assigned to a property in its old generation (decision 0130).
  const lastUse = async (connection_id: string) => {
    const [, connection] = await read()
    const unwritten = connection?.id === connection_id ? unwrittenUse(connection, now) : undefined
    return unwritten === 'first' ? undefined : unwritten
  }
  tokens.lastUse = lastUse
  lockingWrites.push(
    writeAs(
      async () => {
        const [, connection] = await read()
        const unwritten = connection && unwrittenUse(connection, now)
        // The tokens write the time when they lock the connection.
        const isWritten = !unwritten || (unwritten !== 'first' && tokens.locks(connection.id))
        return connection && isWritten ? {} : undefined
      },
      async ({ db }) => {
        const [client, connection] = await read()
        if (client && connection)
          use = await recordConnectionUse(db, { connection, client, user_id, at: now, signed_in })
      },
    ),
  )
  finalWrites.push(
    writeAs(
      async () => {
        const [client] = await read()
        const first = { client: false, developer: false }
        return client && { writes: clientUseStatements({ ...client, at: now, signed_in, first }) }
      },
      async ({ db }) => {
        if (use) await recordClientUse(db, use)
      },
    ),
  )
}

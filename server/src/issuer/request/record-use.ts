import type { ReadDb } from '../../db/open.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { activityStatements, recordActivity } from '../../features/activity/public.ts'
import { recordConnectionUse, unwrittenUse } from '../../features/connections/public.ts'
import { hasSignedInTo, recordSessionClient, sessionClientStatements } from '../../features/sessions/public.ts'
import { type ClientUse, clientUseStatements, recordClientUse } from '../../features/statistics/public.ts'
import type { ProviderRequest, ProviderRequestOptions } from './provider-request.ts'
import { type WriteStatements, writeAs } from './writes.ts'

/** A sign-in of a user to a client. */
interface SignIn {
  user_id: string
  /** Null for a device that signs in without a session. */
  session_id: string | null
  client_id: string
}

/**
 * Records that the user signed in to the client: in their activity, and with the session, of whose end the client has to be told (decision 0042). `known`: the
 * time of the last sign-in of this session to the client, when it has been read.
 */
export function recordSignIn(request: ProviderRequest, signIn: SignIn, known: string | null = null): void {
  request.writes.push(
    writeAs(
      (deps) => signInStatements(deps, request, signIn, known),
      (deps) => recordInTransaction(deps, request, signIn),
    ),
  )
}

/**
 * Records the first silent authentication of a session at the client as a sign-in: the client may keep a session of its own, of whose end it has to be told
 * (decision 0042). Later ones only ask whether someone is still signed in.
 */
export function recordSilentSignIn(request: ProviderRequest, signIn: SignIn & { session_id: string }): void {
  const isKnown = (db: ReadDb) => hasSignedInTo(db, signIn.session_id, signIn.client_id)
  request.writes.push(
    writeAs(
      async (deps) => ((await isKnown(deps.db)) ? {} : await signInStatements(deps, request, signIn, null)),
      async (deps) => {
        if (!(await isKnown(deps.db))) await recordInTransaction(deps, request, signIn)
      },
    ),
  )
}

async function signInStatements(
  deps: AppDeps,
  { now, options }: ProviderRequest,
  signIn: SignIn,
  known: string | null,
): Promise<WriteStatements> {
  const { writes, events } = await activityStatements(deps, activityOf(signIn, options))
  return { writes: [...writes, ...sessionClientStatements({ ...signIn, at: now }, known)], events }
}

async function recordInTransaction(
  deps: TransactionDeps,
  { now, options }: ProviderRequest,
  signIn: SignIn,
): Promise<void> {
  await recordActivity(deps, activityOf(signIn, options))
  await recordSessionClient(deps.db, { ...signIn, at: now })
}

function activityOf(signIn: SignIn, { visitor }: Pick<ProviderRequestOptions, 'visitor'>) {
  return { type: 'LOGGED_IN_TO_APP', ...signIn, from: visitor() } as const
}

/**
 * Records that the client used its connection to the user. The connection is locked first and the client last, as when a client is
 * deleted (decision 0012): `recordConnectionUse` returns what `recordClientUse` adds to the client's statistics.
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

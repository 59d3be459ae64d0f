import type { ReadDb } from '../../db/open.ts'
import { listAppSignIns } from '../../features/activity/public.ts'
import { listClientsOfSessions } from '../tokens/store.ts'

export type SessionClient = { session_id: string; client_id: string }

/** Clients that the sessions have signed in to, also those without tokens. To be read before the sessions end. */
export async function listSessionClients(db: ReadDb, session_ids: readonly string[]): Promise<SessionClient[]> {
  const [signedIn, withTokens] = await Promise.all([
    listAppSignIns(db, session_ids),
    listClientsOfSessions(db, session_ids),
  ])
  const pairs = [...signedIn, ...withTokens].map(
    ({ session_id, client_id }) => [`${session_id} ${client_id}`, { session_id, client_id }] as const,
  )
  return [...new Map(pairs).values()]
}

import type { ReadDb } from '../../db/open.ts'
import { listSessionClients } from '../../features/sessions/public.ts'
import { batches } from '../../lib/batches.ts'
import { listClientsOfSessions } from '../tokens/deletion/connection-token-store.ts'

export type SessionClient = { session_id: string; client_id: string }

/** Clients that the sessions have signed in to, also those without tokens. To be read before the sessions end. */
export async function listClientsToNotify(db: ReadDb, session_ids: readonly string[]): Promise<SessionClient[]> {
  const pairs = new Map<string, SessionClient>()
  for (const some of batches(session_ids)) {
    const [signedIn, withTokens] = await Promise.all([listSessionClients(db, some), listClientsOfSessions(db, some)])
    for (const { session_id, client_id } of [...signedIn, ...withTokens])
      pairs.set(`${session_id} ${client_id}`, { session_id, client_id })
  }
  return [...pairs.values()]
}

import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { announceClientChange } from './own-client.ts'
import { updateFirstSignIn } from './store.ts'

/**
 * Records when the client first received tokens for a user; the quick start page waits for it. Does nothing when the
 * given client has a time already.
 */
export async function recordFirstSignIn(
  deps: TransactionDeps,
  { client_id, first_sign_in_at }: { client_id: string; first_sign_in_at: string | null },
): Promise<void> {
  if (first_sign_in_at !== null) return
  if (await updateFirstSignIn(deps.db, client_id, toTime(deps.clock.now()))) await announceClientChange(deps, client_id)
}

import type { ReadDb } from '../../db/open.ts'
import { factorsOf } from './factors-store.ts'
import { listPasskeys } from './passkey-store.ts'

/**
 * What an archive holds of the ways into an account: two-factor authentication while it is on, and each passkey; all
 * with the same fields, so that they make one table. Neither secrets nor what could be told from them.
 */
export async function* securityPart(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const { otp_enabled_at, recovery_codes_left } = await factorsOf(db, user_id)
  if (otp_enabled_at) {
    yield { kind: 'two_factor', name: null, created_at: otp_enabled_at, last_used_at: null, recovery_codes_left }
  }
  for (const { name, created_at, last_used_at } of await listPasskeys(db, user_id)) {
    yield { kind: 'passkey', name, created_at, last_used_at, recovery_codes_left: null }
  }
}

import type { ReadDb } from '../../db/open.ts'
import { findSecondFactors } from './otp/second-factor-summary-store.ts'
import { listPasskeys } from './passkeys/passkey-store.ts'

/**
 * Authentication methods of the user for a data archive: two-factor authentication while it is on, and each passkey. All
 * rows have the same fields, so that they form one table. Contains no secrets.
 */
export async function* exportSecurity(db: ReadDb, user_id: string): AsyncGenerator<object> {
  const { otp_enabled_at, recovery_codes_left } = await findSecondFactors(db, user_id)
  if (otp_enabled_at) {
    yield { kind: 'two_factor', name: null, created_at: otp_enabled_at, last_used_at: null, recovery_codes_left }
  }
  for (const { name, created_at, last_used_at } of await listPasskeys(db, user_id)) {
    yield { kind: 'passkey', name, created_at, last_used_at, recovery_codes_left: null }
  }
}

import type { Db, ReadDb } from '../db/open.ts'

/** What protects an account beside the password. */
export interface FactorsOf {
  /** Since when two-factor authentication is on; null while it is not. */
  otp_enabled_at: string | null
  recovery_codes_left: number
  passkeys: number
}

/** The account's view of second factors, which stand later in the line: security/door.ts implements it. */
export interface Factors {
  of(db: ReadDb | Db, user_id: string): Promise<FactorsOf>
}

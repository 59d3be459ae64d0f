import type { sessions } from '@vrata/contract'
import type { SessionsTable } from '../../../db/schema.ts'
import { fromJson, toJson } from '../../../db/values.ts'

/** Authentication methods of a session: those that were verified at `authenticated_at` or later. */
export type AuthenticationMethods = (typeof sessions.AUTHENTICATION_METHODS)[number][]

/** Value of the column `methods` of a session that was opened by a QR code only. */
export const QR_ONLY = toJson<AuthenticationMethods>(['qr'])

/** A passkey is two factors by itself, because its use verifies the user. */
export function areTwoFactors(methods: AuthenticationMethods): boolean {
  return methods.includes('passkey') || (methods.includes('pwd') && methods.includes('otp'))
}

type Verified = Partial<Pick<SessionsTable, 'methods' | 'authenticated_at' | 'reauthenticated_at'>>

/**
 * The columns of a session whose user has verified one method again. Apps get `methods` and `authenticated_at`: one of two factors leaves the time
 * since which both were verified, and otherwise the method takes the place of the former ones (decision 0061).
 */
export function verifiedAgain(
  session: Pick<SessionsTable, 'methods'>,
  method: AuthenticationMethods[number],
  now: string,
): Verified {
  const methods = [...new Set([...fromJson<AuthenticationMethods>(session.methods), method])]
  return areTwoFactors(methods) && !areTwoFactors([method])
    ? { methods: toJson(methods), reauthenticated_at: now }
    : { methods: toJson([method]), authenticated_at: now }
}

/** Time of the last sign-in or reauthentication, which decides whether a session is fresh. */
export function lastVerifiedAt({
  authenticated_at,
  reauthenticated_at,
}: Pick<SessionsTable, 'authenticated_at' | 'reauthenticated_at'>): string {
  return reauthenticated_at !== null && reauthenticated_at > authenticated_at ? reauthenticated_at : authenticated_at
}

import type { UserInfo } from '@vrata/contract/account'
import type { SessionInfo } from '@vrata/contract/auth'
import type { Connection } from '@vrata/contract/connections'
import { isLongAgo } from '../../lib/age.ts'
import { serverTime } from '../../lib/time.ts'

/** What the check-up found. A worry asks for attention; the rest is a suggestion that nobody has to take. */
export type Finding =
  | { what: 'email' | 'two_factor' | 'password_alone' | 'passkey' }
  | { what: 'pending'; email: string }
  | { what: 'codes' | 'unknown' | 'devices' | 'apps'; count: number }

const SUGGESTIONS: readonly Finding['what'][] = ['two_factor', 'passkey']

/** So few backup codes are soon none. */
const FEW_CODES = 2
/** A device that was not used for so long is hardly missed, in milliseconds. */
const IDLE = 14 * 24 * 60 * 60 * 1000

type Facts = { user: UserInfo; sessions: readonly SessionInfo[]; apps: readonly Connection[]; now?: number }

/** Everything that could be better about the account, worst first. */
export function findingsOf({ user, sessions, apps, now = Date.now() }: Facts): Finding[] {
  const findings: Finding[] = []
  const unknown = sessions.filter((session) => session.unknown && !session.current)
  if (unknown.length) findings.push({ what: 'unknown', count: unknown.length })
  if (!user.email_verified) findings.push({ what: 'email' })
  else if (user.pending_email) findings.push({ what: 'pending', email: user.pending_email })
  if (!user.otp_enabled && user.passkeys === 0) findings.push({ what: 'password_alone' })
  if (user.otp_enabled && user.recovery_codes_left <= FEW_CODES)
    findings.push({ what: 'codes', count: user.recovery_codes_left })
  const idle = sessions.filter(({ current, last_seen }) => !current && now - serverTime(last_seen).getTime() > IDLE)
  if (idle.length) findings.push({ what: 'devices', count: idle.length })
  const unused = apps.filter(({ last_used_at, connected_at }) => isLongAgo(last_used_at ?? connected_at, now))
  if (unused.length) findings.push({ what: 'apps', count: unused.length })
  if (user.passkeys === 0) findings.push({ what: 'passkey' })
  if (!user.otp_enabled && user.passkeys > 0 && user.has_password) findings.push({ what: 'two_factor' })
  return findings
}

export function isWorry({ what }: Finding): boolean {
  return !SUGGESTIONS.includes(what)
}

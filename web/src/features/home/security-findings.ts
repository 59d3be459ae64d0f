import type { UserInfo } from '@vrata/contract/account'
import type { Connection } from '@vrata/contract/connections'
import type { SessionInfo } from '@vrata/contract/sessions'
import { isLongAgo } from '../../lib/format/is-long-ago.ts'
import { parseServerTime } from '../../lib/format/time.ts'

/** A finding of the security check. Warnings ask for attention; suggestions are optional. */
export type Finding =
  | { what: 'email' | 'two_factor' | 'password_alone' | 'passkey' }
  | { what: 'pending'; email: string }
  | { what: 'codes' | 'unknown' | 'devices' | 'apps'; count: number }

/** The worst first. */
export const FINDING_ORDER: readonly Finding['what'][] = [
  'unknown',
  'email',
  'pending',
  'password_alone',
  'codes',
  'devices',
  'apps',
  'passkey',
  'two_factor',
]
const SUGGESTIONS: readonly Finding['what'][] = ['two_factor', 'passkey']

/** A warning appears at this number of recovery codes or fewer. */
const FEW_CODES = 2
/** Milliseconds after which an unused device is reported. */
const IDLE = 14 * 24 * 60 * 60 * 1000

type FindingsInput = { user: UserInfo; sessions: readonly SessionInfo[]; apps: readonly Connection[]; now: number }

/** All findings, worst first. */
export function securityFindings({ user, sessions, apps, now }: FindingsInput): Finding[] {
  const findings: Finding[] = []
  const unknown = sessions.filter((session) => session.unknown && !session.current)
  if (unknown.length) findings.push({ what: 'unknown', count: unknown.length })
  if (!user.email_verified) findings.push({ what: 'email' })
  else if (user.pending_email) findings.push({ what: 'pending', email: user.pending_email })
  if (!user.otp_enabled && user.passkeys === 0) findings.push({ what: 'password_alone' })
  if (user.otp_enabled && user.recovery_codes_left <= FEW_CODES)
    findings.push({ what: 'codes', count: user.recovery_codes_left })
  const idle = sessions.filter(
    ({ current, last_seen }) => !current && now - parseServerTime(last_seen).getTime() > IDLE,
  )
  if (idle.length) findings.push({ what: 'devices', count: idle.length })
  const unused = apps.filter(({ last_used_at, connected_at }) => isLongAgo(last_used_at ?? connected_at, now))
  if (unused.length) findings.push({ what: 'apps', count: unused.length })
  if (user.passkeys === 0) findings.push({ what: 'passkey' })
  if (!user.otp_enabled && user.passkeys > 0 && user.has_password) findings.push({ what: 'two_factor' })
  return findings.sort((a, b) => FINDING_ORDER.indexOf(a.what) - FINDING_ORDER.indexOf(b.what))
}

export function isWarning({ what }: Finding): boolean {
  return !SUGGESTIONS.includes(what)
}

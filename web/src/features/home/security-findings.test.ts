import type { UserInfo } from '@vrata/contract/account'
import type { Connection } from '@vrata/contract/connections'
import type { SessionInfo } from '@vrata/contract/sessions'
import { describe, expect, test } from 'vitest'
import { isWarning, securityFindings } from './security-findings.ts'

const now = Date.parse('2026-11-21T10:00:00.000Z')
const safe = {
  email_verified: true,
  pending_email: null,
  has_password: true,
  otp_enabled: true,
  recovery_codes_left: 10,
  passkeys: 1,
} as UserInfo
const session = (last_seen: string, current = false) => ({ last_seen, current }) as SessionInfo
const app = (last_used_at: string | null, connected_at: string) => ({ last_used_at, connected_at }) as Connection

const found = (user: Partial<UserInfo>, sessions: SessionInfo[] = [], apps: Connection[] = []) =>
  securityFindings({ user: { ...safe, ...user }, sessions, apps, now }).map(({ what }) => what)

describe('securityFindings', () => {
  test('finds nothing for a secure account', () => {
    const recent = [session('2026-01-01T00:00:00.000Z', true), session('2026-11-10T00:00:00.000Z')]
    expect(found({}, recent, [app('2026-11-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z')])).toEqual([])
  })

  test('lists the worst finding first', () => {
    const idle = [session('2026-11-06T00:00:00.000Z')]
    const unused = [app(null, '2026-01-01T00:00:00.000Z')]
    expect(found({ email_verified: false, otp_enabled: false, passkeys: 0 }, idle, unused)).toEqual([
      'email',
      'password_alone',
      'devices',
      'apps',
      'passkey',
    ])
    const stranger = { ...session('2026-11-21T09:00:00.000Z'), unknown: true }
    expect(found({ email_verified: false }, [stranger])).toEqual(['unknown', 'email'])
    // The current device is known.
    expect(found({}, [{ ...stranger, current: true }])).toEqual([])
    expect(found({ recovery_codes_left: 2 })).toEqual(['codes'])
  })

  test('suggests a passkey or two-factor authentication without a warning', () => {
    expect(found({ passkeys: 0 })).toEqual(['passkey'])
    expect(found({ otp_enabled: false })).toEqual(['two_factor'])
    expect(isWarning({ what: 'passkey' })).toBe(false)
    expect(isWarning({ what: 'password_alone' })).toBe(true)
  })
})

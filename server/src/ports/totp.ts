import { Secret, TOTP } from 'otpauth'

/** Codes of authenticator apps (RFC 6238), with the settings that every app knows: SHA-1, six digits, 30 seconds. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** One step either way: clocks of telephones are not exact, and people are not quick (security.md, "Decided"). */
const WINDOW = 1

/** 160 random bits as base32 (RFC 4226 §4, R6). */
export function newSeed(): string {
  return new Secret({ size: 20 }).base32
}

/** What an authenticator app reads from the QR code; it shows `issuer` and `account` beside its codes. */
export function otpauthUrl(seed: string, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ ...SETTINGS, issuer, label: account, secret: Secret.fromBase32(seed) }).toString()
}

/** The 30 seconds, counted from 1970, of which this is the code; undefined for a wrong one. Compares in constant time. */
export function stepOf(seed: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const secret = Secret.fromBase32(seed)
  const delta = TOTP.validate({ ...SETTINGS, token: code.replace(' ', ''), secret, timestamp, window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp }) + delta
}

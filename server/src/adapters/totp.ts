import { Secret, TOTP } from 'otpauth'

/** TOTP (RFC 6238) with the parameters that all authenticator apps support: SHA-1, six digits, 30 seconds. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Accepts one time step before and after the current one, for clock drift and typing time. */
const WINDOW = 1

/** 160 random bits in base32 (RFC 4226 §4, R6). */
export function newSeed(): string {
  return new Secret({ size: 20 }).base32
}

/** The `otpauth:` URL for authenticator apps, which show `issuer` and `account`. */
export function otpauthUrl(seed: string, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ ...SETTINGS, issuer, label: account, secret: Secret.fromBase32(seed) }).toString()
}

/** The time step of a code; undefined for a wrong code. Compares in constant time. */
export function stepOf(seed: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const secret = Secret.fromBase32(seed)
  const delta = TOTP.validate({ ...SETTINGS, token: code.replace(' ', ''), secret, timestamp, window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp }) + delta
}

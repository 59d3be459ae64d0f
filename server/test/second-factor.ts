import { type Answer, security } from '@vrata/contract'
import { Secret, TOTP } from 'otpauth'
import type { Caller, TestServer } from './test-server.ts'

/** An authenticator app with one secret; each call of `code` returns a new code. */
export interface Phone {
  secret: string
  /** Advances the clock by one time step and returns its code. */
  code(): string
  /** The code of the time step `steps` from now. */
  codeAt(steps: number): string
}

/** The code of an authenticator app at a time. */
export function totp(secret: string, timestamp: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })
}

export function phone(server: TestServer, secret: string): Phone {
  const codeAt = (steps: number) => totp(secret, server.clock.now().getTime() + steps * 30_000)
  return {
    secret,
    codeAt,
    code() {
      server.clock.advance(30)
      return codeAt(0)
    },
  }
}

/** Turns two-factor authentication on; resolves with the authenticator app and the ten recovery codes. */
export async function withSecondFactor(server: TestServer, person: Caller): Promise<{ phone: Phone; codes: string[] }> {
  const { secret } = good(await person.call(security.enableOtp))
  const app = phone(server, secret)
  const { recovery_codes } = good(await person.call(security.confirmOtp, { otp_token: app.code() }))
  return { phone: app, codes: recovery_codes }
}

export function good<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`The call was rejected: ${JSON.stringify(answer.problem)}`)
  return answer.data
}

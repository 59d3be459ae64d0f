import { type Answer, security } from '@vrata/contract'
import { Secret, TOTP } from 'otpauth'
import type { Caller, House } from './house.ts'

/** The person's telephone: an authenticator app with one secret, which never shows a code twice. */
export interface Phone {
  secret: string
  /** The code of the next 30 seconds that have not been used. */
  code(): string
  /** The code of the 30 seconds that are `steps` from now. */
  codeAt(steps: number): string
}

export function phone(house: House, secret: string): Phone {
  const codeAt = (steps: number) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: house.clock.now().getTime() + steps * 30_000 })
  return {
    secret,
    codeAt,
    code() {
      house.clock.advance(30)
      return codeAt(0)
    },
  }
}

/** Turns two-factor authentication on; answers the telephone and the ten recovery codes. */
export async function withSecondFactor(house: House, person: Caller): Promise<{ phone: Phone; codes: string[] }> {
  const { secret } = good(await person.call(security.enableOtp))
  const app = phone(house, secret)
  const { recovery_codes } = good(await person.call(security.confirmOtp, { otp_token: app.code() }))
  return { phone: app, codes: recovery_codes }
}

export function good<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`It was refused: ${JSON.stringify(answer.problem)}`)
  return answer.data
}

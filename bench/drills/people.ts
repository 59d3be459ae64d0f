import { setTimeout as pause } from 'node:timers/promises'
import { account, security, sessions, signIn } from '@vrata/contract'
import { totp } from '../../server/test/second-factor.ts'
import { apiClient, type Cookies, dataOf } from '../../testing/api-client.ts'
import { mailedLink, tokenIn } from '../../testing/mail.ts'

export const PASSWORD = 'kamen-na-kamen-palaca'

/** Milliseconds of a time step (RFC 6238). */
const STEP = 30_000

/** Where an installation is reached: at its public address, or at one of its servers. */
export type Place = { url: string; origin?: string }

/** A person with a second factor and the cookies of the browser in which they registered. */
export type Person = {
  email: string
  cookies: Cookies
  recovery_codes: string[]
  /** The code of the time step so many steps from now. */
  code(steps?: number): string
}

export async function register(place: Place, email: string, cookies: Cookies = new Map()): Promise<void> {
  const who = { email, password: PASSWORD, first_name: 'Bor', last_name: 'Zajc' }
  dataOf(await apiClient({ ...place, cookies })(signIn.register, who))
}

export async function registerWithSecondFactor(place: Place, outbox: string, email: string): Promise<Person> {
  const cookies: Cookies = new Map()
  const call = apiClient({ ...place, cookies })
  await register(place, email, cookies)
  dataOf(await call(security.verifyEmail, { token: tokenIn(await mailedLink(outbox, email, '/confirm-email/')) }))
  const { secret } = dataOf(await call(security.enableOtp))
  const code = (steps = 0) => totp(secret, Date.now() + steps * STEP)
  // Waits when a time step is about to end, because a slow server would reject the code of the former step.
  const left = STEP - (Date.now() % STEP)
  if (left < 10_000) await pause(left)
  // The code of the former time step, so that the current one is still unused.
  const { recovery_codes } = dataOf(await call(security.confirmOtp, { otp_token: code(-1) }))
  return { email, cookies, recovery_codes, code }
}

/** Sends the right password from a browser that the account does not know; resolves with its cookies. */
export async function halfSignedIn(place: Place, { email }: Pick<Person, 'email'>): Promise<Cookies> {
  const cookies: Cookies = new Map()
  const { next } = dataOf(await apiClient({ ...place, cookies })(signIn.login, { username: email, password: PASSWORD }))
  if (next !== 'otp') throw new Error(`${email} is not asked for a code`)
  return cookies
}

/** Sends a code; resolves with `done`, or the code of the problem. */
export async function sendCode(
  place: Place,
  cookies: Cookies,
  factor: { otp_token: string } | { recovery_code: string },
): Promise<string> {
  const answer = await apiClient({ ...place, cookies })(signIn.loginOtp, factor)
  return answer.ok ? answer.data.next : answer.problem.code
}

/** Sends a password; resolves with `done` or `otp`, or the code of the problem. */
export async function sendPassword(place: Place, username: string, password = PASSWORD): Promise<string> {
  const answer = await apiClient(place)(signIn.login, { username, password })
  return answer.ok ? answer.data.next : answer.problem.code
}

/** Reads an account; replaces the cookies when the short one has expired, as the pages do. */
export async function sessionAt(place: Place, cookies: Cookies): Promise<string> {
  const call = apiClient({ ...place, cookies })
  const answer = await call(account.getAccount)
  const again = answer.ok || answer.http !== 401 ? answer : await call(sessions.refresh, {})
  return again.ok ? 'valid' : again.problem.code
}

export async function askForPassword(place: Place, email: string): Promise<void> {
  dataOf(await apiClient(place)(signIn.forgotPassword, { email }))
}

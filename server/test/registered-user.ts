import { type account, signIn } from '@vrata/contract'
import { tokenIn } from '../../testing/mail.ts'
import type { OutgoingMail } from '../src/adapters/mail/mail.ts'
import type { BrowserOptions, Caller, TestServer } from './test-server.ts'

export interface RegisteredUser extends Caller {
  user: account.UserInfo
  email: string
  password: string
}

let networks = 0

/** An address in a network of its own: rate limits count per network. */
function newNetwork(): string {
  networks += 1
  return `10.${1 + (networks >> 8)}.${networks & 255}.1`
}

/** Registers a new user, whose email is not confirmed. */
export async function registerUser(server: TestServer, browser: Partial<BrowserOptions> = {}): Promise<RegisteredUser> {
  const ip = newNetwork()
  const who = { email: `newcomer${networks}@example.com`, password: 'kamen-na-kamen-palaca' }
  const caller = server.browser({ ip, ...browser })
  const answer = await caller.call(signIn.register, who)
  if (!answer.ok) throw new Error(`A new user could not register: ${JSON.stringify(answer.problem)}`)
  return { ...caller, ...who, user: answer.data }
}

/** Registers a new user whose email counts as confirmed. */
export async function registerConfirmedUser(
  server: TestServer,
  browser: Partial<BrowserOptions> = {},
): Promise<RegisteredUser> {
  const person = await registerUser(server, browser)
  await server.store.db
    .updateTable('users')
    .set({ email_verified_at: server.clock.now().toISOString() })
    .where('id', '=', person.user.id)
    .execute()
  return { ...person, user: { ...person.user, email_verified: true } }
}

/** Signs a user in from another browser. */
export async function signInAgain(
  server: TestServer,
  { email, password }: Pick<RegisteredUser, 'email' | 'password'>,
  browser: Partial<BrowserOptions> = {},
): Promise<Caller> {
  const caller = server.browser({ ip: newNetwork(), ...browser })
  const answer = await caller.call(signIn.login, { username: email, password })
  if (!answer.ok) throw new Error(`${email} could not sign in: ${JSON.stringify(answer.problem)}`)
  return caller
}

/** Another tab, with the current cookies of a browser, which may have another address by now. */
export function tabOf(server: TestServer, browser: Caller, options: Partial<BrowserOptions> = {}): Caller {
  const tab = server.browser(options)
  for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
  return tab
}

/** Mails to an address in the order in which they were queued; several are sent at the same time. */
export async function mailsTo(server: TestServer, email: string): Promise<OutgoingMail[]> {
  const letters = (await server.outbox()).filter(({ to }) => to === email)
  return letters.sort((a, b) => (a.message_id < b.message_id ? -1 : 1))
}

/** The token of the last link mailed to an address. */
export async function mailedToken(server: TestServer, email: string): Promise<string> {
  const token = tokenIn((await mailsTo(server, email)).at(-1)?.link ?? '')
  if (!token) throw new Error(`No link was mailed to ${email}`)
  return token
}

import { type account, auth } from '@vrata/contract'
import type { Letter } from '../src/ports/mail/mail.ts'
import type { BrowserOptions, Caller, House } from './house.ts'

export interface Newcomer extends Caller {
  user: account.UserInfo
  email: string
  password: string
}

let newcomers = 0

/** Somebody whom no other test knows, just registered; their address is not confirmed. */
export async function newcomer(house: House, browser: Partial<BrowserOptions> = {}): Promise<Newcomer> {
  newcomers += 1
  const who = { email: `newcomer${newcomers}@example.com`, password: 'kamen-na-kamen-palaca' }
  // Each from a network of their own, so that the bounds per address stay out of the way.
  const caller = house.visitor({ ip: `10.1.${newcomers}.1`, ...browser })
  const answer = await caller.call(auth.register, who)
  if (!answer.ok) throw new Error(`A newcomer could not register: ${JSON.stringify(answer.problem)}`)
  return { ...caller, ...who, user: answer.data }
}

/** The same person in another browser of theirs. */
export async function elsewhere(
  house: House,
  { email, password }: Pick<Newcomer, 'email' | 'password'>,
  browser: Partial<BrowserOptions> = {},
): Promise<Caller> {
  newcomers += 1
  const caller = house.visitor({ ip: `10.1.${newcomers}.1`, ...browser })
  const answer = await caller.call(auth.login, { username: email, password })
  if (!answer.ok) throw new Error(`${email} could not sign in: ${JSON.stringify(answer.problem)}`)
  return caller
}

/** Another tab, which still has the cookies of this moment. */
export function tabOf(house: House, browser: Caller): Caller {
  const tab = house.visitor()
  for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
  return tab
}

/** Mails to an address in the order in which they were written; they leave a few at once. */
export async function lettersTo(house: House, email: string): Promise<Letter[]> {
  const letters = (await house.outbox()).filter(({ to }) => to === email)
  return letters.sort((a, b) => (a.message_id < b.message_id ? -1 : 1))
}

/** The token at the end of the last link that was mailed to an address. */
export async function mailedToken(house: House, email: string): Promise<string> {
  const token = (await lettersTo(house, email)).at(-1)?.link.split('/').at(-1)
  if (!token) throw new Error(`No link was mailed to ${email}`)
  return token
}

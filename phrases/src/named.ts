import type { Message } from './message.ts'

/** Where the software itself is described, which keeps its name: pages for developers, and its version. */
const ABOUT = /^developers\.|title\.developers|m\.version/

/** Puts the name of the installation in place of `Vrata`. It is not done to values, because users may use the word, too. */
export function named(message: Message, key: string, name: string | null | undefined): Message {
  if (!name || ABOUT.test(key)) return message
  return JSON.parse(JSON.stringify(message).replaceAll('Vrata', () => JSON.stringify(name).slice(1, -1)))
}

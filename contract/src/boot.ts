import type { UserInfo } from './account.ts'
import type { Locale } from './locales.ts'

/**
 * What the server writes into every document, so that the first screen needs no call (frontend.md §5). It stands in a
 * script of type `application/json`, which runs nothing.
 */
export type Boot = {
  locale: Locale
  /** Origin of the API; empty when it is that of the pages. */
  api_base: string
  /** The person of a valid access cookie. */
  user: UserInfo | null
  /** There is a session cookie, but no valid access cookie: the page refreshes before it decides anything. */
  refresh: boolean
  /** The app that sent the visitor to sign in, when the redirect leads to a sign-in of an app. */
  continue_to?: { name: string; icon: string | null }
}

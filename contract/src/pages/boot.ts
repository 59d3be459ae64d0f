import type { UserInfo } from '../calls/account.ts'
import type { PublicBranding } from '../calls/branding.ts'
import type { PublicPolicy } from '../calls/policy.ts'
import type { Locale } from '../locales.ts'

/**
 * Data in every document, so that the first screen needs no call (pages §5). Stored in a script element of type
 * `application/json`.
 */
export type Boot = {
  locale: Locale
  /** Origin of the API; empty when it is the origin of the pages. */
  api_base: string
  /** The user of a valid access cookie. */
  user: UserInfo | null
  /** There is a session cookie but no valid access cookie: the page refreshes the session first. */
  refresh: boolean
  /** Name, texts, links and languages of the installation; absent where all is as delivered. */
  branding?: Omit<PublicBranding, 'colors' | 'logo' | 'logo_dark' | 'icon'>
  /** The client of the interaction, when `redirect` leads to one. */
  continue_to?: {
    name: string
    icon: string | null
    privacy_policy_url: string | null
    terms_of_service_url: string | null
  }
  /** The public part of the policy; absent while it has its defaults. */
  policy?: PublicPolicy
  /** Data that the server has read for this page; absent where the page requests it itself. */
  rendered?: {
    /** When, in milliseconds since 1970: the first render of the page has this time, in the zone UTC. */
    at: number
    /** Answers by the query keys of the pages. */
    queries: (readonly [key: readonly unknown[], data: unknown])[]
    /** Phrases of the page by the name of their file, besides those of every page. */
    phrases: Record<string, object>
  }
}

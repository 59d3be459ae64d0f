import type { Locale } from './locales.ts'

/**
 * What the build of the pages tells the server that delivers them (`web/dist/pages.json`). Paths are as in the route
 * table of the pages; the server knows no other list of them.
 */
export type PagePlan = {
  /** In the order in which they are to be tried. */
  pages: PlannedPage[]
  /** What an unknown address shows. */
  missing: PlannedPage
  /** Words of the document around a page, as HTML. */
  frame: Record<Locale, { failed: string; noscript: string }>
  /** The stylesheet, to be inlined. */
  css: string
  /** Runs before the first paint; inlined, and allowed by its hash. */
  early: string
  /** Address of the script that starts everything. */
  entry: string
  /** Fonts that a page needs at once; the letters čćđšž have a file of their own. */
  fonts: Record<Locale, string[]>
}

export type PlannedPage = {
  /** Regular expression of the path; its named groups are the parameters. */
  pattern: string
  /** What the address must say, too, behind the question mark. */
  query?: Record<string, string>
  /** `nobody` is public; everything else sends a visitor without a session to `/login`. */
  needs: string
  /** `login` is left at once by somebody signed in. */
  role?: 'login' | 'logout' | 'consent'
  /** Part of an app's sign-in, which may run in a popup that must keep its opener. */
  popup?: boolean
  /** Where the server sends the browser instead; `$names` are parameters of the path. */
  redirect?: string
  /** Says that there is nothing at this address; the answer is 404. */
  absent?: boolean
  /** Rendered in full and hydrated; otherwise a skeleton that the script replaces. */
  prerendered: boolean
  titles: Record<Locale, string>
  /** What stands inside the root element. */
  html: Record<Locale, string>
  /** Scripts to preload, by language: those of the page, of what is around it, and of its words. */
  scripts: Record<Locale, string[]>
}

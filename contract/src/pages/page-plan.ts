import type { Locale } from '../locales.ts'
import type { PageAccess } from './page-guard.ts'

/**
 * Output of the build of the pages for the server (`web/dist/pages.json`). The paths are those of the
 * route table of the pages; the server has no other list of them.
 */
export type PagePlan = {
  /** In the order in which they are matched. */
  pages: PlannedPage[]
  /** The page for unknown addresses. */
  missing: PlannedPage
  /** Texts of the document around a page, as HTML. */
  frame: Record<Locale, { failed: string; noscript: string }>
  /** The stylesheet, to be inlined. */
  css: string
  /** Script that runs before the first paint; inlined, and allowed by its hash. */
  early: string
  /** URL of the entry script. */
  entry: string
  /** Fonts to preload; the letters čćđšž are in a separate file. */
  fonts: Record<Locale, string[]>
}

export type PlannedPage = Pick<PageAccess, 'needs' | 'role'> & {
  /** Regular expression of the path; its named groups are the parameters. */
  pattern: string
  /** Query parameters that the address must have, too. */
  query?: Record<string, string>
  /** Part of the sign-in of a client, which may run in a popup that must keep its opener. */
  popup?: boolean
  /** Path pattern to redirect to (`fillPath`). */
  redirect?: string
  /** The page says that nothing exists at this address; answered with 404. */
  absent?: boolean
  /** Path with placeholders with which a prerendered page is rendered. */
  address?: string
  /** Rendered completely and hydrated; otherwise a skeleton that the script replaces. */
  prerendered: boolean
  titles: Record<Locale, string>
  /** Content of the root element; empty where it is in `file`. */
  html: Record<Locale, string>
  /** File with `html` as JSON, in the folder of the plan, so that the server starts without the content of all pages. */
  file?: string
  /** Scripts to preload: those of the page, of its layouts and of the phrases of every page. */
  scripts: Record<Locale, string[]>
  /** Scripts with the phrases of this page, which a page that the server renders has in its document. */
  phrases: Record<Locale, string[]>
}

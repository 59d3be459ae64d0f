import type { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import type { Boot } from '@vrata/contract'
import { App, createAppContext, createAppRouter } from './app.tsx'
import { guardResult } from './before-load.ts'
import { ACCOUNT_KEY, currentUser } from './lib/session.ts'
import { markup } from './markup.ts'
import { type PublicPage, renderPublic } from './render-public.tsx'

/** A page of a signed-in user, as the server renders it on request. */
export type PageRequest = {
  /** Path and query. */
  href: string
  /** Origin of the pages. */
  origin: string
  boot: Boot
  /** Makes the calls of the page, with the cookies of the browser that requested it. */
  fetch: typeof fetch
}

/**
 * A redirect of the page guard, or the document. `html` is missing where the browser has to render: a call has failed,
 * or a message waits to be shown.
 */
export type RenderedPage = { redirect: string } | { boot: Boot; html?: string }

/** How often a page may be rendered until its components ask for nothing new. */
const MOST_RENDERS = 3

/**
 * Renders a page with its data: the router loads it as in the browser, guard included, and the components render what
 * their queries have answered. Throws when a component does.
 */
export async function renderPage({ href, origin, boot, fetch }: PageRequest): Promise<RenderedPage> {
  const at = Date.now()
  const context = createAppContext({ ...boot, rendered: { at, queries: [], phrases: {} } }, { fetch, origin })
  const { queries, notices } = context
  // The browser asks again for what has failed.
  queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, retry: false } })
  try {
    const router = createAppRouter(context, createMemoryHistory({ initialEntries: [href] }))
    await router.load()
    const done = (html?: string): RenderedPage => ({ boot: bootAfter(boot, context, at), ...(html ? { html } : {}) })
    const { matches } = router.state
    if (matches.length === 0) {
      const target = router.latestLocation
      const verdict = guardResult(context, target, router.matchRoutes(target))
      return verdict?.do === 'go' && notices.queued.length === 0 ? { redirect: verdict.to } : done()
    }
    if (!currentUser(context) || matches.some(({ status }) => status !== 'success')) return done()

    for (let turn = 0; turn < MOST_RENDERS; turn++) {
      const html = await markup(<App context={context} router={router} />)
      const asked = askedFor(queries)
      if (asked.length === 0) return done(hasFailed(queries) || notices.queued.length ? undefined : html)
      await Promise.all(asked.map((query) => query.fetch().catch(() => {})))
    }
    return done()
  } finally {
    queries.clear()
  }
}

/** Queries that components have asked for and no route has loaded. */
function askedFor(queries: QueryClient) {
  return queries
    .getQueryCache()
    .getAll()
    .filter(({ state, options }) => state.status === 'pending' && (options as { enabled?: unknown }).enabled !== false)
}

const hasFailed = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.status === 'error')

function bootAfter(boot: Boot, context: ReturnType<typeof createAppContext>, at: number): Boot {
  const user = currentUser(context)
  const answered = context.queries
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => state.status === 'success' && queryKey[0] !== ACCOUNT_KEY[0])
  // The phrases of every page are a separate file, which browsers cache.
  const { ui: _, problems: __, ...phrases } = context.i18n.phrases()
  return {
    ...boot,
    ...(user ? { user, refresh: false } : {}),
    rendered: { at, queries: answered.map(({ queryKey, state }) => [queryKey, state.data]), phrases },
  }
}

/** HTML of a public page in an installation with a name, texts or links of its own. */
export async function renderPublicPage(page: PublicPage): Promise<string> {
  return (await renderPublic(page)).html
}

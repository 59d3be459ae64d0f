import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_MAX_AGE } from '@vrata/contract'
import { CallError, isUnavailable } from './lib/api/call-query.ts'
import { createPageApi } from './lib/api/page-api.ts'
import { PageQueries } from './lib/api/read-again.ts'
import { type AppContext, AppContextProvider } from './lib/app-context.tsx'
import type { PageBoot } from './lib/boot.ts'
import { createI18n, I18nProvider } from './lib/i18n.tsx'
import { ACCOUNT_KEY, acceptUser, currentUser, setUser } from './lib/session.ts'
import { routeTree } from './routes.tsx'

/**
 * Creates the application context. `ended` is called when the server refuses to renew the session; `fetch` and `origin`
 * are given where there is no browser.
 */
export function createAppContext(
  start: PageBoot,
  {
    ended = () => {},
    origin = globalThis.origin,
    fetch = (...request) => globalThis.fetch(...request),
  }: { ended?: () => void } & Partial<Pick<AppContext, 'fetch' | 'origin'>> = {},
): AppContext {
  const queries = new PageQueries({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Without a network calls fail at once, instead of waiting, and pages say so.
        networkMode: 'always',
        refetchOnReconnect: true,
        // Retries only network errors and server errors; other failures would repeat.
        retry: (count, error) => count < 2 && (!(error instanceof CallError) || isUnavailable(error.http)),
      },
    },
  })
  queries.setQueryDefaults(ACCOUNT_KEY, { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY })
  for (const [key, data] of start.rendered?.queries ?? []) queries.setQueryData(key, data)
  const i18n = createI18n(start.locale, start.rendered, start.branding)
  const context: AppContext = {
    apiBase: start.api_base,
    origin,
    fetch,
    queries,
    i18n,
    expired: start.refresh,
    renderedFor: start.rendered_for ?? {},
    continueTo: start.continue_to,
    policy: start.policy,
    notices: { queued: [] },
    reauthentication: {},
    api: createPageApi({
      base: start.api_base,
      fetch,
      developer: () => currentUser(context)?.developer_id,
      session: () => currentUser(context)?.session_id,
      onRefreshed: (user) => acceptUser(context, user),
      onEnded: ended,
      // Its sentences explain most conflicts.
      onRefused: () => i18n.load(['conflicts']).catch(() => {}),
      reauthenticate: async (page) => (await context.reauthentication.ask?.(page)) ?? false,
    }),
    async showLanguage(locale) {
      if (!(await i18n.change(locale))) return
      document.documentElement.lang = locale
      const secure = location.protocol === 'https:' ? '; Secure' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in supported browsers
      document.cookie = `${LANGUAGE_COOKIE}=${locale}; Path=/; Max-Age=${LANGUAGE_COOKIE_MAX_AGE}; SameSite=Lax${secure}`
      // Reloads texts that the server wrote in the previous language.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT_KEY[0] })
    },
  }
  // With a session cookie but no access token the user is unknown, so the guard asks the server.
  if (!start.refresh && start.user !== undefined) setUser(context, start.user)
  return context
}

export function createAppRouter(context: AppContext, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context,
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    // Its messages are in English only; main.tsx shows a localized one.
    disableGlobalCatchBoundary: true,
    // Query values are strings, not JSON: `?uid=123` stays a string.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
      const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
      return query.size ? `?${query}` : ''
    },
  })
}

export function App({ context, router }: { context: AppContext; router: ReturnType<typeof createAppRouter> }) {
  return (
    <AppContextProvider context={context}>
      <QueryClientProvider client={context.queries}>
        <I18nProvider i18n={context.i18n}>
          <RouterProvider router={router} />
        </I18nProvider>
      </QueryClientProvider>
    </AppContextProvider>
  )
}

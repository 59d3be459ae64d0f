import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { account, LANGUAGE_COOKIE, LANGUAGE_COOKIE_MAX_AGE } from '@vrata/contract'
import { openApi } from './lib/api.ts'
import type { Start } from './lib/boot.ts'
import { createI18n, I18nProvider } from './lib/i18n.tsx'
import { ACCOUNT, currentUser, setUser } from './lib/session.ts'
import { CallFailed, isSilence } from './lib/use-call.ts'
import { type Wires, WiresProvider } from './lib/wires.tsx'
import { routeTree } from './routes.tsx'

/** Connects a page to everything outside of it. `ended` is called when the server refuses to renew the session. */
export function makeWires(start: Start, ended: () => void = () => {}): Wires {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // An answer that says no will say no again; only silence and breakdowns are worth another try.
        retry: (count, error) => count < 2 && (!(error instanceof CallFailed) || isSilence(error.http)),
      },
    },
  })
  queries.setQueryDefaults(ACCOUNT, { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY })
  const i18n = createI18n(start.locale)
  const wires: Wires = {
    apiBase: start.api_base,
    queries,
    i18n,
    expired: start.refresh,
    renderedFor: start.rendered_for ?? {},
    continueTo: start.continue_to,
    notices: { waiting: [] },
    proof: {},
    api: openApi({
      base: start.api_base,
      developer: () => currentUser(wires)?.developer_id,
      onRefreshed: (user) => setUser(wires, user),
      onEnded: ended,
      prove: async () => (await wires.proof.ask?.()) ?? false,
    }),
    async changeLanguage(locale, languages) {
      await i18n.change(locale)
      document.documentElement.lang = locale
      const secure = location.protocol === 'https:' ? '; Secure' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers people still use
      document.cookie = `${LANGUAGE_COOKIE}=${locale}; Path=/; Max-Age=${LANGUAGE_COOKIE_MAX_AGE}; SameSite=Lax${secure}`
      const user = currentUser(wires)
      if (!user) return
      const language = languages ?? [locale, ...user.language.filter((other) => other !== locale)]
      const answer = await wires.api(account.setLanguage, { language: [...language] })
      if (answer.ok) setUser(wires, answer.data)
      // Texts that the server wrote in the old language: scopes of the consent, names of countries.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT[0] })
      return answer.ok ? undefined : answer
    },
  }
  // A session cookie without access: unknown, so that the guard asks.
  if (!start.refresh && start.user !== undefined) setUser(wires, start.user)
  return wires
}

export function makeRouter(wires: Wires, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: wires,
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    // It speaks English only, and of our insides; the document has its own words (main.tsx).
    disableGlobalCatchBoundary: true,
    // Query strings are words, not JSON: `?uid=123` stays a string and `?create=true` is readable.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
      const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
      return query.size ? `?${query}` : ''
    },
  })
}

export function App({ wires, router }: { wires: Wires; router: ReturnType<typeof makeRouter> }) {
  return (
    <WiresProvider wires={wires}>
      <QueryClientProvider client={wires.queries}>
        <I18nProvider i18n={wires.i18n}>
          <RouterProvider router={router} />
        </I18nProvider>
      </QueryClientProvider>
    </WiresProvider>
  )
}

import type { QueryClient } from '@tanstack/react-query'
import type { Boot, Locale } from '@vrata/contract'
import { createContext, type ReactNode, use } from 'react'
import type { PageApi } from './api/page-api.ts'
import type { I18n } from './i18n.tsx'

/** Dependencies of every page, created in `main.tsx`; also the router's context. */
export type AppContext = {
  api: PageApi
  /** Origin of the API; empty for the origin of the pages. */
  apiBase: string
  /** Origin of the pages. */
  origin: string
  /** For addresses outside the API. */
  fetch: typeof fetch
  queries: QueryClient
  i18n: I18n
  /** The document had a session cookie without valid access: the first call is a refresh. */
  expired: boolean
  /** Query parameters for which the HTML was rendered; the first render must match it. */
  renderedFor: Record<string, string>
  /** The public part of the policy; undefined for the defaults. */
  policy?: Boot['policy']
  /** App that requested the sign-in. */
  continueTo?: Boot['continue_to']
  /** Changes the language of the pages in this browser, not of the account. Rejects when its phrases cannot be loaded. */
  showLanguage(locale: Locale): Promise<void>
  /** Shows a message; the shell connects it to the toasts. */
  notices: Notices
  /** Asks the user to reauthenticate on the page with this path; the shell connects the dialog. */
  reauthentication: { ask?: (page: string) => Promise<boolean> }
}

/** Messages from outside a page (guard, session), queued until they can be shown. */
export type Notices = { queued: string[]; show?: (sentence: string) => void }

export function notify(notices: Notices, sentence: string) {
  if (notices.show) notices.show(sentence)
  else notices.queued.push(sentence)
}

const AppReactContext = createContext<AppContext | null>(null)

export function AppContextProvider({ context, children }: { context: AppContext; children: ReactNode }) {
  return <AppReactContext value={context}>{children}</AppReactContext>
}

export function useAppContext(): AppContext {
  const context = use(AppReactContext)
  if (!context) throw new Error('useAppContext is outside AppContextProvider')
  return context
}

import type { QueryClient } from '@tanstack/react-query'
import type { Answer, Boot, Locale } from '@vrata/contract'
import { createContext, type ReactNode, use } from 'react'
import type { PageApi } from './api.ts'
import type { I18n } from './i18n.tsx'

/** What every page is connected to. Made once in `main.tsx`; also the context of the router. */
export type Wires = {
  api: PageApi
  /** Origin of the API; empty for that of the pages. */
  apiBase: string
  queries: QueryClient
  i18n: I18n
  /** The document came with a session cookie, but without valid access: the first question is a refresh. */
  expired: boolean
  /** What the HTML was rendered for of what the address says behind the question mark; the first render must agree. */
  renderedFor: Record<string, string>
  /** The app that sent the visitor here to sign in. */
  continueTo?: Boot['continue_to']
  /**
   * Changes the language: on the page, in the cookie, and in the account of who is signed in. `languages` are all that
   * the person reads, the preferred one first; without it the others stay behind the new one. Answers what the server
   * refused to keep.
   */
  changeLanguage(locale: Locale, languages?: readonly Locale[]): Promise<Failed | undefined>
  /** Says one sentence that needs no answer; the shell hangs the toasts in here. */
  notices: Notices
  /** How a person proves again who they are; a dialog is hung in here. */
  proof: { ask?: () => Promise<boolean> }
}

type Failed = Extract<Answer<unknown>, { ok: false }>

/** Sentences that come from outside a page (guard, session) and wait until somebody shows them. */
export type Notices = { waiting: string[]; show?: (sentence: string) => void }

export function notify(notices: Notices, sentence: string) {
  if (notices.show) notices.show(sentence)
  else notices.waiting.push(sentence)
}

const WiresContext = createContext<Wires | null>(null)

export function WiresProvider({ wires, children }: { wires: Wires; children: ReactNode }) {
  return <WiresContext value={wires}>{children}</WiresContext>
}

export function useWires(): Wires {
  const wires = use(WiresContext)
  if (!wires) throw new Error('useWires needs a WiresProvider above it')
  return wires
}

import type { CDPSession, Page } from '@playwright/test'

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** A session of the Chrome DevTools Protocol for what journeys do not notice: the same one as long as the page is open. */
export function cdpSession(page: Page): Promise<CDPSession> {
  const present = sessions.get(page)
  if (present) return present
  const context = page.context()
  // Not `context.newCDPSession`, after which a context is not used again: a journey may leave an authenticator there.
  const session: Promise<CDPSession> = Object.getPrototypeOf(context).newCDPSession.call(context, page)
  // The page may be closed by now.
  session.catch(() => {})
  sessions.set(page, session)
  return session
}

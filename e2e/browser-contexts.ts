import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { cdpSession } from './cdp-session.ts'
import { recordPageErrors } from './page-errors.ts'

/** A browser context with its first page, lent to one journey at a time. */
export type LentContext = { context: BrowserContext; page: Page; giveBack(): Promise<void> }

/**
 * Methods of a context and a page that a journey may call and `empty` can undo. After any other method of them, such as a script for each document, a clock or a
 * session of CDP, in which a virtual authenticator may be left, the context is closed.
 */
const UNDONE = new Set(
  [
    'constructor browser context pages newPage mainFrame frames close isClosed url title bringToFront setViewportSize viewportSize emulateMedia',
    'cookies addCookies clearCookies route unroute unrouteAll goto reload goBack goForward evaluate locator getByRole getByText getByLabel',
    'waitForEvent waitForURL waitForRequest waitForResponse waitForLoadState waitForTimeout',
  ].flatMap((names) => names.split(' ')),
)
type LendOptions = {
  options: BrowserContextOptions
  /** Whether no journey may have used it. */
  fresh: boolean
  /** Whether another journey may use it. */
  keep: boolean
  /** Is called with each page error of the journey. */
  report(error: string): void
  /** Is called with each page of a new context. */
  prepare(page: Page): void
}

/** Maximum number of kept contexts: more would take memory and are rarely open at the same time. */
const MOST_KEPT = 4
const DEFAULT_VIEWPORT = { width: 1280, height: 720 }

/**
 * The browser contexts of a worker. A new one takes 0.2 s of CPU time more until its first page is shown than one that another journey has used:
 * it starts a process, which has compiled no script yet. So it is emptied after a journey and lent to the next one with the
 * same options, unless something may be left in it.
 */
export class BrowserContexts {
  readonly #browser: Browser
  readonly #kept: KeptContext[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  async lend({ options, fresh, keep, report, prepare }: LendOptions): Promise<LentContext> {
    const key = JSON.stringify(options)
    const found = fresh ? -1 : this.#kept.findIndex((kept) => kept.key === key)
    const kept =
      this.#kept.splice(found, found < 0 ? 0 : 1)[0] ?? (await KeptContext.open(this.#browser, options, prepare))
    kept.report = report
    const { context, page } = kept
    const giveBack = async () => {
      if (!keep || !(await kept.empty())) return await context.close()
      this.#kept.push(kept)
      if (this.#kept.length > MOST_KEPT) await this.#kept.shift()?.context.close()
    }
    return { context, page, giveBack }
  }

  async close(): Promise<void> {
    for (const { context } of this.#kept) await context.close()
  }
}

class KeptContext {
  readonly key: string
  readonly context: BrowserContext
  readonly page: Page
  report: (error: string) => void = () => {}
  readonly #options: BrowserContextOptions
  /** Listeners of Playwright and of the fixtures; a journey adds its own. */
  readonly #listeners: Map<Emitter, Listener[]>
  /** Origins that have answered since the context was emptied. */
  readonly #origins = new Set<string>()
  #isCached = false
  #isMediaChanged = false
  #isChanged = false

  static async open(browser: Browser, options: BrowserContextOptions, prepare: (page: Page) => void) {
    const context = await browser.newContext(options)
    context.on('page', prepare)
    const kept = new KeptContext(context, await context.newPage(), options)
    await recordPageErrors(context, (error) => kept.report(error))
    kept.#startNoting()
    return kept
  }

  private constructor(context: BrowserContext, page: Page, options: BrowserContextOptions) {
    this.key = JSON.stringify(options)
    this.context = context
    this.page = page
    this.#options = options
    this.#listeners = new Map()
  }

  /** Removes what a journey has left; returns false if something may be left. */
  async empty(): Promise<boolean> {
    const { context, page } = this
    const { baseURL = '', viewport, colorScheme = 'light', reducedMotion = 'reduce' } = this.#options
    if (this.#isChanged || page.isClosed()) return false
    try {
      for (const other of context.pages()) if (other !== page) await other.close()
      for (const [object, before] of this.#listeners)
        for (const [event, listener] of listenersOf(object)) if (!before.includes(listener)) object.off(event, listener)
      await context.unrouteAll()
      await page.unrouteAll()
      // A document without script, on the origin of the server that is still running.
      await page.goto(`${baseURL}/healthz`, { waitUntil: 'commit' })
      const session = await cdpSession(page)
      // Not `page.evaluate`, which sends a script of Playwright to the document first.
      const expression = "sessionStorage.clear(); window.name = ''"
      const { exceptionDetails } = await session.send('Runtime.evaluate', { expression })
      if (exceptionDetails) return false
      await session.send('Page.resetNavigationHistory')
      for (const origin of this.#origins)
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      if (this.#isCached) await session.send('Network.clearBrowserCache')
      this.#origins.clear()
      this.#isCached = false
      await context.clearCookies()
      if (this.#isMediaChanged) await page.emulateMedia({ colorScheme, reducedMotion })
      this.#isMediaChanged = false
      await page.setViewportSize(viewport ?? DEFAULT_VIEWPORT)
      await page.mouse.move(-10, -10)
      return true
    } catch {
      return false
    }
  }

  #startNoting(): void {
    this.context.on('response', (response) => {
      const { origin, pathname } = new URL(response.url())
      this.#origins.add(origin)
      // Names of assets change with their content, so that a later journey finds what it would be sent.
      const isKept = /max-age=[1-9]/.test(response.headers()['cache-control'] ?? '')
      if (isKept && !pathname.startsWith('/assets/')) this.#isCached = true
    })
    for (const object of [this.context, this.page] as unknown as Emitter[]) {
      const listeners = listenersOf(object).map(([, listener]) => listener)
      this.#listeners.set(object, listeners)
    }
    const { context, page } = this
    const emulateMedia = page.emulateMedia.bind(page)
    page.emulateMedia = (options) => {
      this.#isMediaChanged = true
      return emulateMedia(options)
    }
    for (const object of [context, page, context.clock, context.credentials]) this.#noteChanges(object as never)
  }

  #noteChanges(object: Record<string, unknown>): void {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(object))) {
      const method = object[name]
      if (name.startsWith('_') || UNDONE.has(name) || typeof method !== 'function') continue
      object[name] = (...args: unknown[]) => {
        this.#isChanged = true
        return method.apply(object, args)
      }
    }
  }
}

type Listener = (...args: unknown[]) => void
type Emitter = {
  eventNames(): string[]
  listeners(event: string): Listener[]
  off(event: string, listener: Listener): void
}

function listenersOf(object: Emitter): [string, Listener][] {
  return object
    .eventNames()
    .flatMap((event) => object.listeners(event).map((listener): [string, Listener] => [event, listener]))
}

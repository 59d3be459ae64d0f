import { rm } from 'node:fs/promises'
import {
  type APIRequestContext,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import type { Api } from '@vrata/contract'
import { browserApi } from './browser-api.ts'
import { BrowserContexts, type LentContext } from './browser-contexts.ts'
import { cdpSession } from './cdp-session.ts'
import { createRelyingParty, type RelyingParty } from './relying-party.ts'
import { HostedServers } from './server/hosted-servers.ts'
import { createDataTemplate, startTestServer, type TestServer } from './server/test-server.ts'

export { expect } from '@playwright/test'

/** State of a browser for calls of the API. */
export type Caller = {
  /** The API with the cookies of this browser, for preparations that a journey does not test. */
  call: Api
  /** The language of the browser. */
  locale: string
}

/** A browser context with its first page: its own cookies, language and viewport. */
export type Visitor = Caller & { page: Page; context: BrowserContext }

/** `allow` matches page errors that the journey expects. No other journey has used a `fresh` context, whose cache is empty. */
type OpenOptions = BrowserContextOptions & { allow?: RegExp; fresh?: boolean }

type Fixtures = {
  server: TestServer
  /** The third-party website, not yet started. */
  jadrolet: RelyingParty
  /** Opens a browser context that is closed after the journey. A page error in it fails the journey. */
  open(options?: OpenOptions): Promise<Visitor>
  /** The same without a page, for a person for whom a journey only calls the API: a page takes 0.1 to 0.4 s of CPU time. */
  openWithoutPage(options?: { locale?: string }): Promise<Caller>
}

// Playwright translates every frame of a stack by source maps, and takes a stack for each call. Node.js strips types in place
// (PW_DISABLE_TS_ESM), so there is nothing to translate, which took a tenth of Playwright's CPU time.
if (process.env.PW_DISABLE_TS_ESM) Reflect.deleteProperty(Error, 'prepareStackTrace')

const LOCALE = 'en-US'
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

export const test = base.extend<Fixtures, { hosted: HostedServers; dataTemplate: string; contexts: BrowserContexts }>({
  hosted: [
    async ({ browserName: _ }, use) => {
      const hosted = new HostedServers()
      await use(hosted)
      await hosted.close()
    },
    { scope: 'worker' },
  ],

  dataTemplate: [
    async ({ hosted }, use) => {
      const folder = await createDataTemplate(hosted)
      await use(folder)
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],

  server: async ({ dataTemplate, hosted }, use) => {
    const server = await startTestServer(dataTemplate, hosted)
    await use(server)
    const errors = server.errors()
    await server.close()
    expect(errors, 'errors in the log of the server').toEqual([])
  },

  jadrolet: async ({ server }, use) => {
    const site = await createRelyingParty(server.url)
    await use(site)
    await site.close()
  },

  contexts: [
    async ({ browser }, use) => {
      const contexts = new BrowserContexts(browser)
      await use(contexts)
      await contexts.close()
    },
    { scope: 'worker' },
  ],

  open: async ({ contexts, server }, use, info) => {
    const errors: string[] = []
    const lent: LentContext[] = []
    const { trace } = info.project.use
    await use(async ({ allow, fresh = false, ...options } = {}) => {
      const one = await contexts.lend({
        options: { baseURL: server.url, locale: LOCALE, ...options },
        fresh,
        keep: trace === 'off',
        report: (error) => allow?.test(error) || errors.push(error),
        prepare(page) {
          drawAtFullRate(page)
          if (trace === 'off') drawOnePixel(page)
          const isFirst = page.context().pages().length === 1
          if (isFirst && options.javaScriptEnabled !== false) waitForHydration(page, server.url)
        },
      })
      lent.push(one)
      const { context, page } = one
      return { context, page, call: browserApi(context, server), locale: options.locale ?? LOCALE }
    })
    for (const one of lent) await one.giveBack()
    expect(errors, 'page errors').toEqual([])
  },

  openWithoutPage: async ({ browser, playwright, server }, use) => {
    // The server takes the name of a device from it.
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`
    const opened: APIRequestContext[] = []
    await use(async ({ locale = LOCALE } = {}) => {
      const request = await playwright.request.newContext({ userAgent })
      opened.push(request)
      return { call: browserApi({ request }, server), locale }
    })
    for (const request of opened) await request.dispose()
  },
})

/** Waits until the page receives events. To be called before the page opens. */
export async function socketOpened(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket')
  // The server accepts the connection once it knows whose events it sends there; the first frame is earlier and means nothing.
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'))
}

/**
 * Chromium draws a tab that navigates behind another one at about one frame a second, and Playwright waits for two
 * frames before a click. The tab that has navigated comes to the front; focus and visibility are emulated for all tabs.
 */
function drawAtFullRate(page: Page): void {
  page.on('domcontentloaded', () => {
    if (page.context().pages().length > 1) page.bringToFront().catch(() => {})
  })
}

/**
 * Lets Chromium draw one pixel of a page instead of all: drawing in software took a fifth of the CPU time of a journey. Layout,
 * media queries, hit tests and intersections keep to the viewport, whose size stays. Pictures of a trace would be empty.
 */
function drawOnePixel(page: Page): void {
  const shrink = async () => {
    await (await cdpSession(page)).send('Emulation.setVisibleSize', { width: 1, height: 1 })
  }
  const resize = page.setViewportSize.bind(page)
  page.setViewportSize = async (size) => {
    await resize(size)
    await shrink()
  }
  // The page may be closed by now.
  shrink().catch(() => {})
}

/** Makes `page.goto` and `page.reload` wait as `hydrated` does; `waitUntil: 'commit'` still returns at once. */
function waitForHydration(page: Page, issuer: string): void {
  type Options = { waitUntil?: 'commit' | 'load' | 'domcontentloaded' | 'networkidle' }
  const thenHydrated = async <T>(loaded: Promise<T>, options?: Options): Promise<T> => {
    const response = await loaded
    if (options?.waitUntil !== 'commit' && new URL(page.url()).origin === issuer) await hydrated(page)
    return response
  }
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = (url, options) => thenHydrated(goto(url, options), options)
  page.reload = (options) => thenHydrated(reload(options), options)
}

/**
 * Waits until React has hydrated the prerendered heading of a page of Vrata and its effects have run: before that, a key has
 * no handler, and a form is sent as without script. To be called where an app has led to the page, not `page.goto`.
 */
export async function hydrated(page: Page): Promise<void> {
  const isHydrated = () => {
    const { started, failed } = document.documentElement.dataset
    if (!document.getElementById('root') || failed !== undefined) return true
    const heading = document.querySelector('h1')
    return started !== undefined && (!heading || Object.keys(heading).some((name) => name.startsWith('__react')))
  }
  // In one call: with its answer, each takes some milliseconds of CPU time.
  const source = `(${untilTrue})(${isHydrated}, 10).then(${untilIdle})`
  await inPresentDocument(() => page.evaluate(source))
}

/**
 * Leads to another address as a link of the page does, without loading a document, and waits for its screen. For an address whose document
 * another journey loads: a document takes 0.2 s of CPU time more, and 0.2 more where axe checks it. What the page has read stays.
 */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate(async (address) => {
    type Location = { state: { __TSR_key?: string } }
    type Router = {
      history: { push(path: string): void }
      state: { status: string; location: Location; resolvedLocation?: Location }
    }
    const router = (window as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__
    const before = router.state.resolvedLocation
    const isShown = ({ status, location, resolvedLocation }: Router['state']) =>
      status === 'idle' && resolvedLocation !== before && resolvedLocation?.state.__TSR_key === location.state.__TSR_key
    router.history.push(address)
    while (!isShown(router.state)) await new Promise((resolve) => setTimeout(resolve, 10))
  }, address)
}

/**
 * Waits until a function returns true in the page, which is asked every so many milliseconds. Throws after 40 s. `page.waitForFunction`
 * would do the same, but each time it sends 300 KB of Playwright's script to the document, which actions of locators do not use.
 */
export async function waitInPage(page: Page, condition: () => boolean, every: number): Promise<void> {
  const source = `(${untilTrue})(${condition}, ${every})`
  await inPresentDocument(() => page.evaluate(source))
}

/** Runs in the page. */
async function untilTrue(condition: () => boolean, every: number): Promise<void> {
  const began = performance.now()
  while (!condition()) {
    if (performance.now() - began > 40_000) throw new Error(`${location.href}: not within 40 s: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, every))
  }
}

/** Runs in the page. */
function untilIdle(): Promise<void> {
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 2000 }))
}

/** Evaluates again, in the next document, when the page has loaded one meanwhile. */
async function inPresentDocument(evaluate: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const failure = await evaluate().then(
      () => undefined,
      (error: Error) => error,
    )
    if (!failure) return
    if (!failure.message.includes('Execution context was destroyed')) throw failure
  }
}

import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import type { Api } from '@vrata/contract'
import { callerOf } from './caller.ts'
import { type House, openHouse } from './house.ts'
import { type RelyingParty, relyingParty } from './relying-party.ts'
import { watch } from './watch.ts'

export { expect } from '@playwright/test'

/** A browser of somebody: its own cookies, language and size. */
export type Visitor = {
  page: Page
  context: BrowserContext
  /** The API with the cookies of this browser, for what a story takes for granted. */
  call: Api
}

/** What a page did that it must not do; a journey that provokes something on purpose says so in `allow`. */
type OpenOptions = BrowserContextOptions & { allow?: RegExp }

type Fixtures = {
  house: House
  /** The third-party website of this story, not yet started. */
  jadrolet: RelyingParty
  /** Opens a browser; it closes by itself, and the journey fails for whatever its pages must never do. */
  open(options?: OpenOptions): Promise<Visitor>
}

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

export const test = base.extend<Fixtures>({
  house: async ({ browserName: _ }, use) => {
    const house = await openHouse()
    await use(house)
    const errors = house.errors()
    await house.close()
    expect(errors, 'errors in the log of the server').toEqual([])
  },

  jadrolet: async ({ house }, use) => {
    const site = await relyingParty(house.url)
    await use(site)
    await site.close()
  },

  open: async ({ browser, house }, use) => {
    const troubles: string[] = []
    const contexts: BrowserContext[] = []
    await use(async ({ allow, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: house.url, locale: 'en-US', ...options })
      contexts.push(context)
      await watch(context, (trouble) => allow?.test(trouble) || troubles.push(trouble))
      return { context, page: await context.newPage(), call: callerOf(context, house) }
    })
    for (const context of contexts) await context.close()
    expect(troubles, 'what pages must never do').toEqual([])
  },
})

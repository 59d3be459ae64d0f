import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOURS = ['color-contrast', 'link-in-text-block']
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/**
 * Looks at what the page shows now as somebody would who cannot see it, or has it on a phone: no violation of axe in
 * light and in dark, wide and narrow, and nothing to scroll sideways. The window is wide again afterwards.
 */
export async function inspect(page: Page, screen: string): Promise<void> {
  await expect(page.locator('#overlay')).toHaveCount(0)
  for (const [size, viewport] of Object.entries({ wide: DESKTOP, narrow: PHONE })) {
    await page.setViewportSize(viewport)
    await wear(page, 'light')
    // Looking at colours takes most of the time, and they do not depend on the width.
    expect.soft(await violations(page, size === 'wide' ? 'all' : 'all but colours'), `${screen}, ${size}`).toEqual([])
    if (size === 'wide') {
      // What is wrong in one theme only is wrong with its colours.
      await wear(page, 'dark')
      expect.soft(await violations(page, 'colours'), `${screen}, ${size}, dark`).toEqual([])
    }
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect.soft(beyond, `${screen}, ${size}: pixels beyond the right edge`).toBe(0)
  }
  await page.setViewportSize(DESKTOP)
}

/** Changes the theme, and waits until no colour is on its way from the other: on a busy machine that takes its time. */
async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    await frame()
    await frame()
    const moving = document.getAnimations().filter((it) => it instanceof CSSTransition)
    await Promise.allSettled(moving.map((it) => it.finished))
  })
}

/** What axe finds on the page. */
async function violations(page: Page, look: 'all' | 'colours' | 'all but colours'): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  // A popup is rendered beside the landmarks, as it must be: no `region`.
  const without = ['region', ...(look === 'all' ? [] : COLOURS)]
  const found = await (look === 'colours' ? axe.withRules(COLOURS) : axe.withTags(RULES).disableRules(without))
    // Guards that Base UI puts around popups; its makers call the finding expected.
    .exclude('[data-base-ui-focus-guard]')
    // One document without frames: no need to gather results in a second page.
    .setLegacyMode()
    .analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { cdpSession } from './cdp-session.ts'
import { waitInPage } from './fixtures.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
// `region` is off because popups are rendered outside the landmarks.
const ALL = { runOnly: TAGS, rules: withoutRules('region') }
const COLORS = { runOnly: COLOR_RULES }
const ALL_BUT_COLORS = { runOnly: TAGS, rules: withoutRules('region', ...COLOR_RULES) }

/**
 * Expects no axe violation, no horizontal scrolling, no text wider than its box and none squeezed into a narrow one on the page as it is now, in the
 * light and the dark theme, at the width of a desktop and of a phone. Leaves the page at desktop width.
 */
export async function checkAccessibility(page: Page, screen: string): Promise<void> {
  // An expectation would look 100, 350 and 850 ms later; the strip goes half a second after the page has started.
  await waitInPage(page, () => !document.getElementById('overlay'), 50)
  const { width, height } = page.viewportSize() ?? {}
  if (width !== DESKTOP.width || height !== DESKTOP.height) await page.setViewportSize(DESKTOP)
  const { isDark, hasAxe } = await answered(() =>
    page.evaluate(() => ({ isDark: matchMedia('(prefers-color-scheme: dark)').matches, hasAxe: 'axe' in window })),
  )
  // The source has 650 KB, so it is sent once for each document; over CDP, because Playwright copies it and calls `eval`.
  if (!hasAxe) await answered(async () => (await cdpSession(page)).send('Runtime.evaluate', { expression: SOURCE }))
  // The themes differ in colors only, and drawing the page in another one is work, so it begins with the present one.
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await expectNoProblem(page, first, ALL, `${screen}, wide, ${first}`)
  await page.emulateMedia({ colorScheme: second })
  await expectNoProblem(page, second, COLORS, `${screen}, wide, ${second}`)
  await page.setViewportSize(PHONE)
  // Color rules take most of the time, and colors do not depend on the width.
  await expectNoProblem(page, second, ALL_BUT_COLORS, `${screen}, narrow`)
  await page.setViewportSize(DESKTOP)
}

function withoutRules(...names: string[]): RunOptions['rules'] {
  return Object.fromEntries(names.map((name) => [name, { enabled: false }]))
}

type Theme = 'light' | 'dark'
type Problems = { violations: string[] } & Partial<ReturnType<typeof overflow>>

async function expectNoProblem(page: Page, theme: Theme, options: RunOptions, screen: string): Promise<void> {
  // One call instead of six, because each call with its answer takes some milliseconds of CPU time.
  // Sizes do not depend on the theme.
  const source = `(${problems})('${theme}', ${JSON.stringify(options)}, ${options === COLORS ? undefined : overflow})`
  const { violations, beyond, wider, squeezed } = await answered(() => page.evaluate<Problems>(source))
  expect.soft(violations, screen).toEqual([])
  if (options === COLORS) return
  expect.soft(beyond, `${screen}: pixels beyond the right edge`).toBe(0)
  expect.soft(wider, `${screen}: text beyond its box`).toEqual([])
  expect.soft(squeezed, `${screen}: text broken inside words`).toEqual([])
}

/**
 * Runs in the page, once it has drawn a frame in the theme and no transition is left; with reduced motion, which all journeys ask for, no color has
 * one. `violations` is what axe reports, one line for each element.
 */
async function problems(theme: Theme, options: RunOptions, lookForOverflow?: typeof overflow): Promise<Problems> {
  const isReached = () =>
    matchMedia(`(prefers-color-scheme: ${theme})`).matches &&
    !document.getAnimations().some((animation) => animation instanceof CSSTransition)
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 50))
  // Listeners of the size and the theme run before a frame is drawn, and React renders after them.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  // Base UI's focus guards around popups violate a rule; its maintainers call that expected.
  const context = { exclude: ['[data-base-ui-focus-guard]'] }
  const { run } = (window as unknown as { axe: typeof axe }).axe
  // Without `resultTypes`, axe also describes every element that passes.
  const { violations } = await run(context, { ...options, resultTypes: ['violations'] })
  const lines = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
  return { violations: lines, ...lookForOverflow?.() }
}

/**
 * Runs in the page. `wider` are elements whose text is wider than they are, so that it overlaps other elements or is cut off; not
 * those that scroll. `squeezed` are elements that are so narrow that their text breaks inside words: less than 80 pixels wide,
 * and at least three lines high. Styles are computed last, of the few elements whose size matches.
 */
function overflow(): { beyond: number; wider: string[]; squeezed: string[] } {
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  const isWider = (element: Element, width: number) =>
    width > 0 &&
    element.scrollWidth > width + 1 &&
    hasText(element) &&
    getComputedStyle(element).overflowX === 'visible' &&
    element.checkVisibility() &&
    !scrolls(element.parentElement)
  const isSqueezed = (element: Element, width: number) => {
    if (width <= 1 || width >= 80 || element.childElementCount > 0 || !/\S{9}/.test(element.textContent ?? ''))
      return false
    const { display, lineHeight } = getComputedStyle(element)
    return display === 'block' && element.clientHeight > 2 && element.clientHeight > 2.5 * Number.parseFloat(lineHeight)
  }
  const describe = (element: Element) => `${element.tagName.toLowerCase()}: ${element.textContent?.slice(0, 60)}`
  const wider: string[] = []
  const squeezed: string[] = []
  for (const element of document.body.querySelectorAll('*')) {
    const width = element.clientWidth
    if (isWider(element, width)) wider.push(describe(element))
    if (isSqueezed(element, width)) squeezed.push(describe(element))
  }
  const { scrollWidth, clientWidth } = document.documentElement
  return { beyond: scrollWidth - clientWidth, wider, squeezed }
}

/**
 * Repeats a call without side effects that the browser has not answered for 30 s. On a busy machine, Chromium rarely leaves a
 * call without an answer, although the page is idle.
 */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await Promise.race([
      call().then((value) => ({ value })),
      new Promise<undefined>((resolve) => setTimeout(resolve, 30_000)),
    ])
    if (answer) return answer.value
    if (attempt === 3) throw new Error('The browser has not answered three calls.')
  }
}

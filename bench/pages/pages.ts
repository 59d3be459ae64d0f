/**
 * `npm run bench -- pages`: ten pages as a person meets them on a slow phone (`paint.ts`), with an empty cache: when the
 * content is there, how many requests and bytes that took, and how soon the first menu, the first dialog and the next page
 * appear; beside each page the same page as a plain single-page application. Medians. Settings: VISITS, ONLY (a regular expression on the
 * names of pages).
 */
import { sessions, signIn } from '@vrata/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { seedInstallation, USER } from '../installation.ts'
import { median } from '../measure.ts'
import { SCOPES } from '../reference/reference-data.ts'
import { startVrata, type VrataOptions } from '../targets.ts'
import { CPU_SLOWDOWN, launch, NETWORK, VIEWPORT } from './paint.ts'
import { startPlainPages } from './plain-pages.ts'

const VISITS = Number(process.env.VISITS ?? 5)
const ONLY = new RegExp(process.env.ONLY ?? '')
/** Milliseconds from a click until what it opens; the page has loaded everything before. */
const SETTLED_MS = 3000
/** One address signs in before each visit. */
const SETTINGS = { VRATA_LIMITS_FACTOR: '1000' }

type PlannedVisit = { name: string; path: string; goal_ms: number; content: { selector: string; text: string } }
type Visit = { content_ms: number; first_paint_ms: number; started_ms: number; requests: number; kilobytes: number }

/** The pages with a text that only their data has. */
function plan(client_id: string, developer_id: string): PlannedVisit[] {
  const app = `/developers/${developer_id}/applications`
  const page = (name: string, path: string, text: string, goal_ms = 1500, selector = 'main') => ({
    name,
    path,
    goal_ms,
    content: { selector, text },
  })
  return [
    page('login', '/login', 'Sign in', 1000),
    page('consent', `/oauth?${new URLSearchParams({ client_id, scope: SCOPES.join(' ') })}`, 'Jadrolet', 1000, 'h1'),
    page('home', '/home', 'Kraški studio'),
    page('your info', '/your-info', USER.email),
    page('security', '/security', 'Passkeys'),
    page('devices', '/devices', 'This device'),
    page('connected apps', '/applications', 'Jadrolet'),
    page('apps', app, 'Jadrolet'),
    page('app details', `${app}/${client_id}/details`, client_id),
    page('users', `/developers/${developer_id}/user-management`, USER.email),
  ]
}

export async function benchPages(options: VrataOptions = {}): Promise<void> {
  const browser = await launch()
  if (!browser) throw new Error('There is no Chromium.')
  const target = await startVrata({ ...options, settings: { ...SETTINGS, ...options.settings } })
  const plain = await startPlainPages(SETTINGS)
  try {
    const { url, app, developer_id } = await seedInstallation(target)
    const other = await seedInstallation(plain)
    const otherPlan = plan(other.app.client_id, other.developer_id)
    console.log(
      '| page | content ms | goal ms | first paint ms | started ms | requests | KB | content as a plain single-page application ms | its requests |',
    )
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
    for (const [index, planned] of plan(app.client_id, developer_id).entries()) {
      if (!ONLY.test(planned.name)) continue
      const visits: Visit[] = []
      const others: Visit[] = []
      const signedOut = planned.name === 'login'
      for (let visit = 0; visit < VISITS; visit += 1) {
        const same = otherPlan[index] ?? planned
        // A new session each time: a page may renew it, and the cookies of before then end it.
        const cookies = signedOut ? [] : await signedIn(browser, url, developer_id)
        visits.push(await inContext(browser, cookies, (page) => visitOnce(page, url, planned)))
        const otherCookies = signedOut ? [] : await signedIn(browser, other.url, other.developer_id)
        others.push(await inContext(browser, otherCookies, (page) => visitOnce(page, other.url, same)))
      }
      const of = (pick: (visit: Visit) => number, all = visits) => median(all.map(pick)).toFixed(0)
      const cells = [
        of((v) => v.content_ms),
        planned.goal_ms,
        of((v) => v.first_paint_ms),
        of((v) => v.started_ms),
        of((v) => v.requests),
        of((v) => v.kilobytes),
        of((v) => v.content_ms, others),
        of((v) => v.requests, others),
      ]
      console.log(`| ${planned.name} | ${cells.join(' | ')} |`)
    }
    const opened: number[][] = []
    for (let visit = 0; visit < VISITS; visit += 1) {
      const cookies = await signedIn(browser, url, developer_id)
      opened.push(await inContext(browser, cookies, (page) => open(page, url)))
    }
    console.log('\n| on the home page, CPU slowed four times | ms | goal ms |\n| --- | ---: | ---: |')
    for (const [index, [name, goal]] of OPENED.entries())
      console.log(`| ${name} | ${median(opened.map((times) => times[index] ?? Number.NaN)).toFixed(0)} | ${goal} |`)
  } finally {
    await browser.close()
    await target.stop()
    await plain.stop()
  }
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

async function signedIn(browser: Browser, url: string, developer_id: string): Promise<Cookies> {
  const context = await browser.newContext()
  const data = { username: USER.email, password: USER.password }
  const answer = await context.request.post(`${url}/v1${signIn.login.path}`, { data, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`The sign-in failed: ${await answer.text()}`)
  await context.request.post(`${url}/v1${sessions.refresh.path}`, { data: { developer_id }, headers: { origin: url } })
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

async function inContext<T>(browser: Browser, cookies: Cookies, run: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' })
  try {
    await context.addCookies(cookies)
    return await run(await context.newPage())
  } finally {
    await context.close()
  }
}

async function visitOnce(page: Page, url: string, { path, content }: PlannedVisit): Promise<Visit> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.addInitScript(({ selector, text }) => {
    // The frame after the one in which the text is in the document has painted it.
    function look() {
      const found = [...document.querySelectorAll(selector)].some(
        (one) =>
          one.textContent?.includes(text) ||
          [...one.querySelectorAll('input')].some(({ value }) => value.includes(text)),
      )
      requestAnimationFrame(found ? () => performance.mark('content') : look)
    }
    look()
    // Waits until the page has started; menus, dialogs and the realtime connection load after that.
    const started = () => document.documentElement.dataset.started !== undefined
    new MutationObserver(() => started() && performance.mark('started')).observe(document, {
      subtree: true,
      attributeFilter: ['data-started'],
    })
  }, content)
  await page.goto(url + path, { waitUntil: 'networkidle', timeout: 120_000 })
  await page.waitForFunction(() =>
    ['content', 'started'].every((name) => performance.getEntriesByName(name).length > 0),
  )
  return await page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN
    const files = performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= at('started')) as PerformanceResourceTiming[]
    const [document] = performance.getEntriesByType('navigation') as PerformanceResourceTiming[]
    const bytes = [document, ...files].reduce((sum, one) => sum + (one?.transferSize ?? 0), 0)
    return {
      content_ms: at('content'),
      first_paint_ms: at('first-contentful-paint'),
      started_ms: at('started'),
      requests: 1 + files.length,
      kilobytes: bytes / 1024,
    }
  })
}

const OPENED = [
  ['first menu', 150],
  ['first dialog', 150],
  ['another page', 100],
] as const

/** Milliseconds from a click to the frame that shows the menu, the dialog, and the heading of another page. */
async function open(page: Page, url: string): Promise<number[]> {
  const devtools = await page.context().newCDPSession(page)
  await page.goto(`${url}/home`, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => document.documentElement.dataset.started !== undefined)
  await page.waitForTimeout(SETTLED_MS)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const clicked = async (click: string, shown: string) => {
    const ms = await page.evaluate(
      ([click, shown]) =>
        new Promise<number>((resolve) => {
          const visible = (all: string) =>
            [...document.querySelectorAll<HTMLElement>(all)].find((one) => one.checkVisibility() && one.offsetWidth > 0)
          const button = visible(click)
          const began = performance.now()
          // Hovers first, as a mouse does, so that code that loads on hover is requested.
          button?.dispatchEvent(new PointerEvent('pointerenter', { bubbles: true }))
          button?.click()
          const look = () =>
            visible(shown)
              ? requestAnimationFrame(() => resolve(performance.now() - began))
              : performance.now() - began > 10_000
                ? resolve(Number.NaN)
                : requestAnimationFrame(look)
          look()
        }),
      [click, shown] as const,
    )
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    return ms
  }
  return [
    await clicked('button[aria-haspopup=menu]', '[role=menu]'),
    await clicked('button[aria-haspopup=dialog]', '[role=dialog]'),
    await clicked('a[href="/security"]', 'a[href="/security/change-password"]'),
  ]
}

import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/suites/chromium.ts'
import { median } from '../measure.ts'

/** Device and network of the performance goals (pages §4): slow 4G, a CPU slowdown of four, empty cache. */
export const VIEWPORT = { width: 412, height: 823 }
export const NETWORK = {
  offline: false,
  latency: 562,
  downloadThroughput: (1.47 * 1024 * 1024) / 8,
  uploadThroughput: 675 * 128,
}
export const CPU_SLOWDOWN = 4
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

export interface Painted {
  first_ms: number
  largest_ms: number
}

/** First and largest contentful paint of a page, medians of several visits with an empty cache. Undefined without Chromium. */
export async function paint(url: string, visits = 5): Promise<Painted | undefined> {
  const browser = await launch()
  if (!browser) return undefined
  try {
    const seen: Painted[] = []
    for (let visit = 0; visit < visits; visit += 1) seen.push(await visitOnce(browser, url))
    return { first_ms: median(seen.map((one) => one.first_ms)), largest_ms: median(seen.map((one) => one.largest_ms)) }
  } finally {
    await browser.close()
  }
}

/** Starts Chromium; undefined where there is none. */
export async function launch(): Promise<Browser | undefined> {
  const executablePath = findChromium()
  return executablePath ? chromium.launch({ executablePath, args: FLAGS.split(' ') }) : undefined
}

async function visitOnce(browser: Browser, url: string): Promise<Painted> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'networkidle' })
  const painted = await page.evaluate(
    () =>
      new Promise<Painted>((resolve) => {
        const first_ms = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
        new PerformanceObserver((list) => {
          resolve({ first_ms, largest_ms: list.getEntries().at(-1)?.startTime ?? Number.NaN })
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  await context.close()
  return painted
}

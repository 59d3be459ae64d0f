import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../scripts/chromium.ts'
import { median } from './measure.ts'

/** The phone and the line of frontend.md §4: slow 4G with real throttling, a processor four times slower, nothing cached. */
const PHONE = { width: 412, height: 823 }
const LINE = { offline: false, latency: 562, downloadThroughput: (1.47 * 1024 * 1024) / 8, uploadThroughput: 675 * 128 }
const SLOWER = 4
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

export interface Painted {
  first_ms: number
  largest_ms: number
}

/** When a visitor sees something, and the main thing, on a page; medians of several cold visits. Undefined without Chromium. */
export async function paint(url: string, visits = 5): Promise<Painted | undefined> {
  const executablePath = findChromium()
  if (!executablePath) return undefined
  const browser = await chromium.launch({ executablePath, args: FLAGS.split(' ') })
  try {
    const seen: Painted[] = []
    for (let visit = 0; visit < visits; visit += 1) seen.push(await visitOnce(browser, url))
    return { first_ms: median(seen.map((one) => one.first_ms)), largest_ms: median(seen.map((one) => one.largest_ms)) }
  } finally {
    await browser.close()
  }
}

async function visitOnce(browser: Browser, url: string): Promise<Painted> {
  const context = await browser.newContext({ viewport: PHONE, locale: 'en-US' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
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

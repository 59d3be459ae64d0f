import { BrowserContexts } from '../browser-contexts.ts'
import { expect, test } from '../fixtures.ts'

test('a browser context is lent again without what a journey has left, and closed where it cannot be emptied', async ({
  browser,
  server,
}) => {
  const contexts = new BrowserContexts(browser)
  const options = { baseURL: server.url, permissions: [] }
  const lend = () => contexts.lend({ options, fresh: false, keep: true, report: () => {}, prepare: () => {} })
  /** Reads what a journey may leave, then leaves it. */
  const leave = async ({ context, page }: Awaited<ReturnType<typeof lend>>) => {
    await page.goto('/login')
    const left = await page.evaluate(async () => {
      const found = {
        cookie: /left/.test(document.cookie),
        local: localStorage.getItem('left'),
        session: sessionStorage.getItem('left'),
        databases: (await indexedDB.databases()).length,
        name: window.name,
        steps: history.length,
        width: innerWidth,
        dark: matchMedia('(prefers-color-scheme: dark)').matches,
      }
      await cookieStore.set('left', '1')
      localStorage.setItem('left', '1')
      sessionStorage.setItem('left', '1')
      await new Promise((resolve) => (indexedDB.open('left').onsuccess = resolve))
      window.name = 'left'
      history.pushState(null, '', '/login')
      return found
    })
    const ready = await page.evaluate(() => fetch('/readyz').then((answer) => answer.json()))
    const tabs = context.pages().length
    const listeners = (page as unknown as { listenerCount(event: string): number }).listenerCount('dialog')
    page.on('dialog', () => {})
    await context.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.route('**/readyz', (route) => route.fulfill({ json: 'left' }))
    return { ...left, tabs, listeners, ready }
  }

  const first = await lend()
  const before = await leave(first)
  expect(before).toMatchObject({ cookie: false, local: null, databases: 0, tabs: 1, listeners: 0, name: '' })
  expect(before.ready).toMatchObject({ status: 'ready' })
  await first.giveBack()
  const second = await lend()
  expect(second.page).toBe(first.page)
  expect(await leave(second)).toEqual(before)

  await second.page.addInitScript(() => {})
  await second.giveBack()
  const third = await lend()
  expect(third.page).not.toBe(first.page)
  expect(second.page.isClosed()).toBe(true)
  await third.giveBack()
  await contexts.close()
})

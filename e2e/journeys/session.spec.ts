import { sessions, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { bor, cvetka } = people

test.describe('session', () => {
  test('is refreshed by two tabs at the same time', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const tabs = [visitor.page, await visitor.context.newPage()]
    for (const tab of tabs) await tab.goto('/home')
    await visitor.context.clearCookies({ name: 'vrata_access' })
    // Both tabs send the same session cookie, which the first refresh rotates.
    await Promise.all(tabs.map((tab) => tab.reload()))
    for (const tab of tabs) await expect(tab.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
    await visitor.context.clearCookies({ name: 'vrata_access' })
    await Promise.all(tabs.map((tab) => tab.getByLabel('Language').selectOption({ label: 'Hrvatski' })))
    for (const tab of tabs) await expect(tab.getByRole('link', { name: 'Uređaji' })).toBeVisible()
    await Promise.all(tabs.map((tab) => tab.reload()))
    for (const tab of tabs) await expect(tab).toHaveURL('/home')
    expect(dataOf(await visitor.call(sessions.listSessions))).toHaveLength(1)
  })

  test('ended by another browser leads to the sign-in page and back', async ({ server, open, openWithoutPage }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    await visitor.page.goto('/privacy/settings')
    await expect(visitor.page.getByText('What is shown about you')).toBeVisible()

    const otherBrowser = await openWithoutPage()
    dataOf(await otherBrowser.call(signIn.login, { username: cvetka.email, password: cvetka.password }))
    const listed = dataOf(await otherBrowser.call(sessions.listSessions))
    const ended = listed.find(({ current }) => !current)
    dataOf(await otherBrowser.call(sessions.logoutSession, { id: ended?.id ?? '' }))
    const { page } = visitor
    await page.getByRole('link', { name: 'Vrata' }).first().click()
    await expect(page).toHaveURL(/\/login\?/)
    await page.getByRole('button', { name: /^Cvetka Zajc/ }).click()
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
  })

  test('that ends keeps typed text for the same person', async ({ server, open, openWithoutPage }) => {
    const visitor = await open()
    const { page } = visitor
    await signUpConfirmed(server, await openWithoutPage(), bor)
    await signUpConfirmed(server, visitor, cvetka)
    const { developer_id } = await registerApp(visitor)
    const otherBrowser = await openWithoutPage()
    dataOf(await otherBrowser.call(signIn.login, { username: cvetka.email, password: cvetka.password }))

    const openConnected = async (path: string) => {
      const connected = socketOpened(page)
      await page.goto(path)
      await connected
    }
    const endSession = async () => {
      const listed = dataOf(await otherBrowser.call(sessions.listSessions)).filter(({ current }) => !current)
      for (const { id } of listed) dataOf(await otherBrowser.call(sessions.logoutSession, { id }))
      await expect(page).toHaveURL(/\/login\?/)
    }
    const enterPassword = async ({ password }: { password: string }) => {
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    const dialog = page.getByRole('dialog')

    await test.step('in a dialog, once it is opened again', async () => {
      await openConnected(`/developers/${developer_id}/applications`)
      await page.getByRole('button', { name: 'Register an app' }).first().click()
      await dialog.getByLabel('Name').fill('Vodnik')
      await endSession()
      await page.getByRole('button', { name: /^Cvetka Zajc/ }).click()
      await enterPassword(cvetka)
      await page.getByRole('button', { name: 'Register an app' }).first().click()
      await expect(dialog.getByLabel('Name')).toHaveValue('Vodnik')
      await dialog.getByRole('button', { name: 'Register' }).click()
      await expect(page.getByText('Copy the secret now')).toBeVisible()
    })

    await test.step('in a field of the page, which is saved when it is left', async () => {
      await openConnected(`/developers/${developer_id}/settings`)
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('Studio Vodnik')
      await endSession()
      await page.getByRole('button', { name: /^Cvetka Zajc/ }).click()
      await enterPassword(cvetka)
      await expect(name).toHaveValue('Studio Vodnik')
      await expect(name).toBeFocused()
      await name.press('Tab')
      await expect(page.getByText('Saved').first()).toBeVisible()
    })

    await test.step('not for another person', async () => {
      await openConnected('/your-info')
      await page.getByRole('link', { name: /^Name/ }).click()
      await dialog.getByLabel('First name').fill('Vodnik')
      await endSession()
      await page.getByRole('button', { name: 'Use another account' }).click()
      await page.getByLabel('Email or username').fill(bor.email)
      await enterPassword(bor)
      await expect(page).toHaveURL('/your-info/name')
      await expect(dialog.getByLabel('First name')).toHaveValue(bor.first_name)
    })
  })

  test('survives a crash of the server without loss of acknowledged changes', async ({ server, open }) => {
    const visitor = await open({
      // The page may be connecting its socket when the server ends.
      allow:
        /ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET|before receiving a handshake|Unable to preload|dynamically imported/,
    })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/home')
    await page.getByLabel('Language').selectOption({ label: 'Slovenščina' })
    await expect(page.getByRole('link', { name: 'Naprave' })).toBeVisible()
    await visitor.context.clearCookies({ name: 'language' })
    await server.crash()
    await server.restart()
    await visitor.context.clearCookies({ name: 'vrata_access' })
    await page.reload()
    await expect(page).toHaveURL('/home')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Cvetka')
  })

  test('ends in all tabs of the browser on sign-out', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    const otherTab = await visitor.context.newPage()
    const connected = socketOpened(otherTab)
    await otherTab.goto('/privacy/settings')
    await connected
    await page.goto('/logout')
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByText('You are signed out')).toBeVisible()
    // The other tab is neither reloaded nor touched.
    await expect(otherTab).toHaveURL(/\/login\?redirect=%2Fprivacy%2Fsettings/)
    await expect(otherTab.getByText('What is shown about you')).toBeHidden()
  })

  test('of another person, who signs in in another tab, reloads the open pages', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const visitor = await open()
    await signUpConfirmed(server, await openWithoutPage(), bor)
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    const connected = socketOpened(page)
    await page.goto('/your-info')
    await connected
    await page.getByRole('link', { name: /^Name/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('First name')).toHaveValue(cvetka.first_name)
    // Cvetka's names must not be saved in Bor's account.
    dataOf(await visitor.call(signIn.login, { username: bor.email, password: bor.password }))
    await expect(dialog.getByLabel('First name')).toHaveValue(bor.first_name)
    await expect(page.getByText(cvetka.email)).toBeHidden()
  })

  test('keeps the columns beside a page below the offline bar', async ({ server, open }) => {
    const visitor = await open({ allow: /ERR_INTERNET_DISCONNECTED/ })
    await signUpConfirmed(server, visitor, cvetka)
    const { developer_id, client_id } = await registerApp(visitor)
    const { page, context } = visitor
    await page.setViewportSize({ width: 1280, height: 500 })
    const bar = page.getByRole('status').filter({ hasText: 'You are offline' })
    for (const [path, column] of [
      [`/developers/${developer_id}/applications/${client_id}/scopes`, page.getByRole('complementary')],
      ['/developers/docs/scopes', page.getByRole('navigation', { name: 'Contents' })],
      ['/developers/docs/scopes', page.getByRole('navigation', { name: 'On this page' })],
    ] as const) {
      await page.goto(path)
      await context.setOffline(true)
      await expect(bar).toBeVisible()
      await page.evaluate(() => scrollTo(0, 400))
      const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {}
      await expect.poll(async () => (await column.boundingBox())?.y).toBeGreaterThanOrEqual(y + height)
      await context.setOffline(false)
    }
  })

  test('leaves a public page as high as the window with the offline bar', async ({ open }) => {
    const { page, context } = await open({ allow: /ERR_INTERNET_DISCONNECTED|Preload/ })
    for (const size of [
      { width: 1280, height: 900 },
      // Here the sentence of the bar takes two lines.
      { width: 320, height: 1000 },
    ]) {
      await page.setViewportSize(size)
      await page.goto('/login?forgot=true')
      const hidden = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      expect(await hidden()).toBe(0)
      await context.setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
      expect(await hidden()).toBe(0)
      await context.setOffline(false)
    }
  })

  test('keeps the menus when a page cannot be loaded offline, and opens it when online again', async ({
    server,
    open,
  }) => {
    const allow = /ERR_INTERNET_DISCONNECTED|dynamically imported|Preload/
    // Another journey may have loaded the page that must not be there.
    const visitor = await open({ locale: 'sl-SI', allow, fresh: true })
    await signUpConfirmed(server, visitor, cvetka)
    const { page, context } = visitor
    const errorPageLoaded = page.waitForResponse(/error-page/)
    await page.goto('/home')
    await errorPageLoaded
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Varnost' }).first().click()
    await expect(page.getByRole('heading', { name: 'Te strani brez povezave ni mogoče prikazati.' })).toBeVisible()
    await expect(page.getByText('Niste povezani z internetom.')).toBeVisible()
    // The notice leaves the whole menu in the window.
    await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('link', { name: 'Vaši podatki' }).first()).toBeVisible()
    // Trying again offline keeps the page; a page that was open before can be shown.
    await page.getByRole('button', { name: 'Poskusi znova' }).click()
    await page.getByRole('link', { name: 'Domov' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Cvetka')
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Te strani brez povezave ni mogoče prikazati.' })).toBeVisible()
    await context.setOffline(false)
    await expect(page).toHaveURL('/security')
    await expect(page.getByRole('heading', { level: 1, name: 'Varnost' })).toBeVisible()
    await expect(page.getByText('Niste povezani z internetom.')).toBeHidden()
  })

  test('shows messages, also when their code could not be loaded with the page', async ({ server, open }) => {
    const visitor = await open({ allow: /ERR_FAILED|dynamically imported|Preload/, fresh: true })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    // Simulates a page that has just reloaded for a new release.
    await page.addInitScript('sessionStorage.reloaded = Date.now()')
    const code = /\/assets\/toast-card-/
    await page.route(code, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await page.goto('/privacy/settings')
    await failed
    await page.unroute(code)
    await page.getByRole('switch', { name: 'Show me on the sign-in page' }).click()
    await expect(page.getByText('Nothing about you is shown on the sign-in page.')).toBeVisible()
  })

  test('shows a translated error in the document when scripts are missing', async ({ server, open }) => {
    const visitor = await open({ locale: 'sl-SI', allow: /^thrown: / })
    await signUpConfirmed(server, visitor, cvetka)
    const { page, context } = visitor
    await context.route(/\/assets\/(?:devices|error-page)/, (route) => route.fulfill({ status: 404 }))
    await page.goto('/devices')
    await expect(page.getByText('Strani ni bilo mogoče naložiti')).toBeVisible()
  })
})

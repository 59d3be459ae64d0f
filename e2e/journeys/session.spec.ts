import { auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { done, settle } from '../settled.ts'

const { cvetka } = people

test.describe('§4 a session', () => {
  test('goes on in two tabs whose access has run out at the same time', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const tabs = [visitor.page, await visitor.context.newPage()]
    for (const tab of tabs) await tab.goto('/home')
    await visitor.context.clearCookies({ name: 'vrata_access' })
    // Both hold the same session cookie when they ask for a new one; only one of them can be first.
    await Promise.all(tabs.map((tab) => tab.reload()))
    for (const tab of tabs) await expect(tab.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
    await visitor.context.clearCookies({ name: 'vrata_access' })
    await Promise.all(tabs.map((tab) => tab.getByLabel('Language').selectOption({ label: 'Hrvatski' })))
    for (const tab of tabs) await expect(tab.getByRole('link', { name: 'Uređaji' })).toBeVisible()
    await Promise.all(tabs.map((tab) => tab.reload()))
    for (const tab of tabs) await expect(tab).toHaveURL('/home')
    expect(done(await visitor.call(auth.listSessions))).toHaveLength(1)
  })

  test('that was ended from elsewhere leads to sign-in and back to the same page', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    await visitor.page.goto('/privacy/settings')
    await expect(visitor.page.getByText('What is shown about you')).toBeVisible()

    const elsewhere = await open()
    done(await elsewhere.call(auth.login, { username: cvetka.email, password: cvetka.password }))
    done(await elsewhere.call(auth.logoutAll))
    const { page } = visitor
    await page.getByRole('link', { name: 'Vrata' }).first().click()
    await expect(page).toHaveURL(/\/login\?/)
    await page.getByRole('button', { name: /^Cvetka Zajc/ }).click()
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
  })

  test('outlives a server that dies, and nothing acknowledged is lost', async ({ house, open }) => {
    const visitor = await open({
      allow: /ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET|Unable to preload|dynamically imported/,
    })
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/home')
    await page.getByLabel('Language').selectOption({ label: 'Slovenščina' })
    await expect(page.getByRole('link', { name: 'Naprave' })).toBeVisible()
    await visitor.context.clearCookies({ name: 'language' })
    await house.crash()
    await house.restart()
    await visitor.context.clearCookies({ name: 'vrata_access' })
    await page.reload()
    await expect(page).toHaveURL('/home')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Cvetka')
  })

  test('is ended by signing out, in other tabs of the browser, too', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    const other = await visitor.context.newPage()
    await other.goto('/home')
    await page.goto('/logout')
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByText('You are signed out')).toBeVisible()
    await other.reload()
    await expect(other).toHaveURL(/\/login\?/)
  })

  test('without a connection, a page whose code is not there yet is told of in the person’s language', async ({
    house,
    open,
  }) => {
    const visitor = await open({ locale: 'sl-SI', allow: /ERR_INTERNET_DISCONNECTED|dynamically imported|Preload/ })
    await settle(house, visitor, cvetka)
    const { page, context } = visitor
    const told = page.waitForResponse(/error-page/)
    await page.goto('/home')
    await told
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Varnost' }).first().click()
    await expect(page.getByRole('heading', { name: 'Ta vrata so se zataknila.' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Poskusi znova' }).click()
    await expect(page).toHaveURL('/security/change-password')
    await expect(page.getByRole('heading', { level: 1, name: 'Varnost' })).toBeVisible()
  })

  test('after a release without the old files, the document says in the person’s language what is wrong', async ({
    house,
    open,
  }) => {
    const visitor = await open({ locale: 'sl-SI', allow: /^thrown: / })
    await settle(house, visitor, cvetka)
    const { page, context } = visitor
    await context.route(/\/assets\/(?:devices|error-page)/, (route) => route.fulfill({ status: 404 }))
    await page.goto('/devices')
    await expect(page.getByText('Stran se ni mogla zagnati')).toBeVisible()
  })
})

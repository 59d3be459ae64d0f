import { account } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const YEAR = 365 * 24 * 60 * 60

test.describe('interface language', () => {
  test('follows the browser, changes without a reload, and is stored in a cookie for a year', async ({ open }) => {
    const { page, context } = await open({ locale: 'hr-HR' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hr-HR')
    await page.getByLabel('E-\u2060adresa ili korisničko ime').fill('bor')

    await page.getByLabel('Jezik').selectOption({ label: 'English' })
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(page).toHaveTitle(/^Sign in/)
    await expect(page.getByLabel('Email or username')).toHaveValue('bor')

    const cookie = (await context.cookies()).find(({ name }) => name === 'language')
    expect(cookie?.value).toBe('en-US')
    expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - YEAR)).toBeLessThan(60)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  })

  test('changes on the current page of a signed-in user', async ({ server, open }) => {
    const visitor = await open({ locale: 'hr-HR' })
    await signUpConfirmed(server, visitor, people.bor)
    const { page } = visitor
    await page.goto('/home')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Bor')
    await expect(page.getByRole('link', { name: 'Uređaji' })).toBeVisible()
    await page.getByLabel('Jezik').selectOption({ label: 'Slovenščina' })
    await expect(page.getByRole('link', { name: 'Naprave' })).toBeVisible()
    await expect(page).toHaveURL('/home')
    await page.reload()
    await expect(page.getByRole('link', { name: 'Naprave' })).toBeVisible()
  })

  test('becomes that of the account at a sign-in, and a choice on a page is offered as that of the account', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    await signUpConfirmed(server, await openWithoutPage({ locale: 'hr-HR' }), people.bor)
    const visitor = await open()
    const { page } = visitor
    await page.goto('/login')
    await page.getByLabel('Email or username').fill(people.bor.email)
    await page.getByLabel('Password', { exact: true }).fill(people.bor.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('link', { name: 'Uređaji' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hr-HR')

    await page.getByLabel('Jezik').selectOption({ label: 'Slovenščina' })
    await expect(page.getByText('E-\u2060pošta in aplikacije še vedno uporabljajo jezik vašega računa.')).toBeVisible()
    expect(dataOf(await visitor.call(account.getAccount)).language).toEqual(['hr-HR'])
    await page.getByRole('button', { name: 'Spremeni tudi tega' }).click()
    await expect(page.getByText('Jezik računa je spremenjen.')).toBeVisible()
    expect(dataOf(await visitor.call(account.getAccount)).language).toEqual(['sl-SI', 'hr-HR'])
  })

  test('stays when another one cannot be loaded, and says so', async ({ open }) => {
    // Another journey may have loaded the phrases that must not be there.
    const { page, context } = await open({
      allow: /ERR_INTERNET_DISCONNECTED|dynamically imported|Preload/,
      fresh: true,
    })
    await page.goto('/login')
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page.getByLabel('Language').selectOption({ label: 'Hrvatski' })
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await expect(page.getByLabel('Language')).toHaveValue('en-US')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
    await context.setOffline(false)
    await page.getByLabel('Language').selectOption({ label: 'Hrvatski' })
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
  })

  test('says that the page could not be loaded where its own sentences could not', async ({ open }) => {
    const { page } = await open({ allow: /ERR_FAILED|dynamically imported|phrases/, fresh: true })
    // Simulates a page that has just reloaded for a new release.
    await page.addInitScript('sessionStorage.reloaded = Date.now()')
    await page.route(/\/assets\/en-US-/, (route) => route.abort())
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'The page could not be loaded' })).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })

  test('is the last one chosen, also when an earlier one takes longer to load', async ({ open }) => {
    const { page, context } = await open({ fresh: true })
    const { promise: isDelayed, resolve: send } = Promise.withResolvers<void>()
    await page.route(/\/assets\/sl-SI-/, async (route) => {
      await isDelayed
      await route.continue()
    })
    await page.goto('/login')
    const asked = page.waitForRequest(/\/assets\/sl-SI-/)
    const language = page.getByLabel('Language').or(page.getByLabel('Jezik'))
    await language.selectOption({ label: 'Slovenščina' })
    await asked
    await language.selectOption({ label: 'Hrvatski' })
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
    const loaded = page.waitForResponse(/\/assets\/sl-SI-/)
    send()
    await loaded
    // Longer than its phrases take to load.
    await page.waitForTimeout(1000)
    await expect(page.getByLabel('Jezik')).toHaveValue('hr-HR')
    await expect(page.locator('html')).toHaveAttribute('lang', 'hr-HR')
    expect((await context.cookies()).find(({ name }) => name === 'language')?.value).toBe('hr-HR')
  })

  test('falls back to English for an unsupported browser language', async ({ open }) => {
    const { page } = await open({ locale: 'ja-JP' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })
})

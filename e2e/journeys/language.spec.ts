import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { settle } from '../settled.ts'

const YEAR = 365 * 24 * 60 * 60

test.describe('§1 the language of the interface', () => {
  test('comes from the browser, changes in place, and stays for a year', async ({ open }) => {
    const { page, context } = await open({ locale: 'hr-HR' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hr-HR')
    await page.getByLabel('E-adresa ili korisničko ime').fill('bor')

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

  test('of somebody signed in changes on the page they are on', async ({ house, open }) => {
    const visitor = await open({ locale: 'hr-HR' })
    await settle(house, visitor, people.bor)
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

  test('nobody knows a language of ours: English', async ({ open }) => {
    const { page } = await open({ locale: 'ja-JP' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })
})

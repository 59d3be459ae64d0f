import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { settle } from '../settled.ts'

const { cvetka } = people

test.describe('a browser without script', () => {
  test('signs in, is told what is wrong, and signs out', async ({ house, open }) => {
    await settle(house, await open(), cvetka)
    const { page, context } = await open({ javaScriptEnabled: false })
    await page.goto('/login?redirect=/home')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill('not-the-password-1')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/problem=invalid_credentials/)
    expect(page.url()).not.toContain('password-1')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
    expect(await sessionCookies()).toHaveLength(2)
    // "This page needs JavaScript."
    await expect(page.getByRole('link', { name: 'Load again' })).toBeVisible()

    await page.goto('/logout')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect(await sessionCookies()).toHaveLength(0)

    async function sessionCookies() {
      return (await context.cookies()).filter(({ name }) => ['vrata_sid', 'vrata_access'].includes(name))
    }
  })

  test('reads the sign-in page in its language', async ({ open }) => {
    const { page } = await open({ javaScriptEnabled: false, locale: 'sl-SI' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
  })
})

import { account } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { settle } from '../settled.ts'

const { cvetka } = people
const WRONG = 'Email or password is wrong. Check both and try again.'

test.describe('§2 signing in', () => {
  test('a wrong password and an unknown name are answered with the same words', async ({ house, open }) => {
    const { page } = await open()
    await settle(house, await open(), cvetka)
    await page.goto('/login')
    for (const name of [cvetka.email, 'nobody.knows@example.com']) {
      await page.getByLabel('Email or username').fill(name)
      await page.getByLabel('Password', { exact: true }).fill('not-the-password-1')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByRole('alert')).toHaveText(WRONG)
      await page.getByLabel('Password', { exact: true }).clear()
    }
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
  })

  test('a user name signs in as well as the address', async ({ house, open }) => {
    const elsewhere = await open()
    await settle(house, elsewhere, cvetka)
    await elsewhere.call(account.updateAccount, { username: 'cvetka' })
    const { page } = await open()
    await page.goto('/login')
    await page.getByLabel('Email or username').fill('Cvetka')
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
  })

  test('§8 an address that has an account turns sign-up into sign-in and stays typed', async ({ house, open }) => {
    await settle(house, await open(), cvetka)
    const { page } = await open()
    await page.goto('/register')
    await page.getByLabel('Email', { exact: true }).fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toHaveText('Email already exists. Click here to log in.')
    await page.getByRole('button', { name: 'Click here to log in.' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeFocused()
    await expect(page.getByLabel('Email or username')).toHaveValue(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
  })

  test('what somebody types before the scripts have come is kept, also where they sign up', async ({ open }) => {
    const { page } = await open()
    for (const [address, title] of [
      ['/login', 'Sign in'],
      ['/register', 'Create an account'],
    ] as const) {
      let come = () => {}
      const coming = new Promise<void>((resolve) => {
        come = resolve
      })
      await page.route('**/assets/*.js', async (route) => {
        await coming
        await route.continue()
      })
      await page.goto(address, { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
      const email = page.getByLabel(/^Email/)
      await email.fill(cvetka.email)
      await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
      come()
      await expect(page.locator('html[data-started]')).toBeAttached()
      await expect(page.locator('button[type=submit]')).toBeEnabled()
      await expect(email).toHaveValue(cvetka.email)
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue(cvetka.password)
      await page.unrouteAll()
    }
  })

  test('the keyboard alone is enough', async ({ house, open }) => {
    await settle(house, await open(), cvetka)
    const { page } = await open()
    await page.goto('/login')
    await expect(page.getByLabel('Email or username')).toBeFocused()
    await page.keyboard.type(cvetka.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/home')

    const menu = page.getByRole('button', { name: /^Accounts/ })
    await menu.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(menu).toBeFocused()

    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('You are signed out')).toBeVisible()
    await expect(page).toHaveURL(/\/login/)
  })

  test('somebody signed in has no business at the login page', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    await visitor.page.goto('/login?redirect=/privacy/settings')
    await expect(visitor.page).toHaveURL('/privacy/settings')
  })
})

import { auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, enableSecondFactor, settle } from '../settled.ts'

const { cvetka } = people
const NEW = 'nova-kljuka-na-vratih-4'

test.describe('§2 a forgotten password', () => {
  test('the link in the mail sets a new one, once, and ends all sessions', async ({ house, open }) => {
    const elsewhere = await open()
    await settle(house, elsewhere, cvetka)
    await elsewhere.page.goto('/home')
    await expect(elsewhere.page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()

    const { page } = await open()
    await page.goto('/login')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(cvetka.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()

    const link = await house.mailedLink(cvetka.email, '/change-password/')
    // Scanners of mail open links, and people open them twice: neither uses them up.
    await (await open()).page.goto(link)
    await page.goto(link)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
    await page.getByLabel('New password').fill('kratko')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Password must be at least 12 characters long.')).toBeVisible()
    await page.getByLabel('New password').fill(NEW)
    await expect(page.getByText('Secure', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('The password is saved. Sign in with it.')).toBeVisible()

    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(NEW)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')

    // The page that is open elsewhere is told, and leaves by itself.
    await expect(elsewhere.page).toHaveURL(/\/login\?/)

    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
  })

  test('with two-step sign-in on, the link alone is not enough: a code is asked for as well', async ({
    house,
    open,
  }) => {
    test.slow()
    const owner = await open()
    await settle(house, owner, cvetka)
    const app = await enableSecondFactor(owner)
    const { page, call } = await open()
    done(await call(auth.forgotPassword, { email: cvetka.email }))
    await page.goto(await house.mailedLink(cvetka.email, '/change-password/'))
    const code = page.getByLabel('Code from the app, or a backup code')
    await page.getByLabel('New password').fill(NEW)
    await code.fill('000000')
    await inspect(page, 'new password with a code')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Code is incorrect.')).toBeVisible()
    await expect(code).toBeFocused()
    await code.fill(app.code())
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('The password is saved. Sign in with it.')).toBeVisible()

    // It signs nobody in, and the second step is as it was.
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(NEW)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  })

  test('an unknown address gets the same answer, and a bad link offers a new one', async ({ house, open }) => {
    const { page } = await open()
    await page.goto('/change-password/not-a-token-of-ours')
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await page.getByLabel('Email').fill('nobody.knows@example.com')
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
    await expect(page.getByText('If there is an account with the address nobody.knows@example.com')).toBeVisible()

    await settle(house, await open(), cvetka)
    const visitor = await open()
    done(await visitor.call(auth.forgotPassword, { email: cvetka.email }))
    await visitor.page.goto(await house.mailedLink(cvetka.email, '/change-password/'))
    await expect(visitor.page.getByText(/For the account c.*@/)).toBeVisible()
  })

  test('a confirmation link that is not good says so', async ({ open }) => {
    const { page } = await open()
    await page.goto('/confirm-email/not-a-token-of-ours')
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in to get a new one' }).click()
    await expect(page).toHaveURL(/\/login\?redirect=/)
  })
})

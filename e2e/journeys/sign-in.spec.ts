import { account, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { bor, cvetka } = people
const WRONG_CREDENTIALS = 'Email or password is wrong. Check both and try again.'

test.describe('sign-in', () => {
  test('shows the same error for a wrong password and an unknown user', async ({ server, open, openWithoutPage }) => {
    const { page } = await open()
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    await page.goto('/login')
    for (const name of [cvetka.email, 'nobody.knows@example.com']) {
      await page.getByLabel('Email or username').fill(name)
      await page.getByLabel('Password', { exact: true }).fill('not-the-password-1')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByRole('alert')).toHaveText(WRONG_CREDENTIALS)
      await page.getByLabel('Password', { exact: true }).clear()
    }
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
  })

  test('accepts the username in place of the email', async ({ server, open, openWithoutPage }) => {
    const otherBrowser = await openWithoutPage()
    await signUpConfirmed(server, otherBrowser, cvetka)
    await otherBrowser.call(account.updateAccount, { username: 'cvetka' })
    const { page } = await open()
    await page.goto('/login')
    await page.getByLabel('Email or username').fill('Cvetka')
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
  })

  test('sign-up with a registered email leads to sign-in and keeps the email', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
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

  test('the password meter gives one verdict at a time, the same as the server', async ({ open }) => {
    const { page } = await open()
    await page.goto('/login?register=true')
    const password = page.getByLabel('Password', { exact: true })
    await expect(page.getByText('At least 12 characters')).toBeVisible()
    await page.getByLabel('Email').fill(cvetka.email)
    await password.fill('password1')
    await expect(page.getByText('3 more characters')).toBeVisible()
    await password.fill('password1234')
    await expect(page.getByText('Not secure · it is one of the most common passwords')).toBeVisible()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(password).toHaveAccessibleDescription(
      'This password has appeared in a data breach. Choose another one.',
    )
    await expect(page.getByText('Not secure')).toBeHidden()
    await password.fill(cvetka.email)
    await expect(page.getByText('Not secure · it is your email address')).toBeVisible()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Your email address can’t be your password.')).toBeVisible()
    await password.fill(cvetka.password)
    await expect(page.getByText('Secure', { exact: true })).toBeVisible()
  })

  test('keeps text entered before the scripts have loaded, on sign-in and sign-up', async ({ open }) => {
    const { page } = await open()
    for (const [path, title] of [
      ['/login', 'Sign in'],
      ['/register', 'Create an account'],
      ['/login?login_hint=ana@example.com', 'Sign in'],
      ['/login?register=true&login_hint=ana@example.com', 'Create an account'],
    ] as const) {
      let loadScripts = () => {}
      const scriptsMayLoad = new Promise<void>((resolve) => {
        loadScripts = resolve
      })
      await page.route('**/assets/*.js', async (route) => {
        await scriptsMayLoad
        await route.continue()
      })
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
      const email = page.getByLabel(/^Email/)
      await email.fill(cvetka.email)
      await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
      loadScripts()
      await expect(page.locator('html[data-started]')).toBeAttached()
      await expect(page.locator('button[type=submit]')).toBeEnabled()
      await expect(email).toHaveValue(cvetka.email)
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue(cvetka.password)
      await page.unrouteAll()
    }
  })

  test('keeps what was typed, without the password, when a release has removed code of the page', async ({ open }) => {
    const { page } = await open({ fresh: true, allow: /404|dynamically imported|Unable to preload/ })
    const missing = { status: 404, body: '' }
    await page.goto('/login')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.route('**/assets/login-steps-*.js', (route) => route.fulfill(missing), { times: 1 })
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(cvetka.email)
    expect(await page.evaluate(() => sessionStorage.reloaded), 'the page was loaded anew').toBeDefined()

    await page.evaluate(() => sessionStorage.removeItem('reloaded'))
    await page.getByLabel('First name').fill(cvetka.first_name)
    await page.getByLabel('Email', { exact: true }).fill(bor.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Show password' }).click()
    const reloaded = page.waitForEvent('load')
    await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
    await reloaded
    await expect(page.locator('html[data-started]')).toBeAttached()
    await expect(page.getByLabel('First name')).toHaveValue(cvetka.first_name)
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(bor.email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  })

  test('says when the code of the passkey button cannot be loaded, and tries again', async ({ open }) => {
    const { page } = await open({ fresh: true, allow: /ERR_FAILED|dynamically imported|Unable to preload/ })
    // The page has just reloaded, which did not help.
    await page.addInitScript(() => sessionStorage.setItem('reloaded', String(Date.now())))
    await page.route('**/assets/passkey-sign-in-*.js', (route) => route.abort())
    await page.goto('/login')
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await expect(button).not.toHaveAttribute('aria-busy')
    await page.unrouteAll()
    const asked = page.waitForRequest('**/v1/auth/passkey/options')
    await button.click()
    await asked
  })

  test('fills in the address that the link has', async ({ open }) => {
    const { page } = await open()
    for (const path of ['/login?login_hint=ana@example.com', '/login?register=true&login_hint=ana@example.com']) {
      await page.goto(path)
      await expect(page.getByLabel(/^Email/)).toHaveValue('ana@example.com')
    }
  })

  test('forgets an account of this browser, and says so when that fails', async ({ server, open, openWithoutPage }) => {
    const visitor = await open({ allow: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
    const { page, context } = visitor
    await signUpConfirmed(server, await openWithoutPage(), bor)
    await signUpConfirmed(server, visitor, cvetka)
    dataOf(await visitor.call(signIn.login, { username: bor.email, password: bor.password }))
    await page.goto('/logout')
    const forget = page.getByRole('button', { name: /^Remove from this browser: Cvetka/ })
    await expect(forget).toBeVisible()
    await context.setOffline(true)
    await forget.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await expect(forget).toBeVisible()
    await context.setOffline(false)
    await forget.press('Enter')
    await expect(forget).toBeHidden()
    await expect(page.getByRole('button', { name: /^Bor/ })).toBeFocused()
    await page.getByRole('button', { name: /^Bor/ }).click()
    await page.getByRole('button', { name: 'Switch account' }).click()
    await expect(page.getByRole('button', { name: /^Bor/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /Cvetka/ })).toBeHidden()
  })

  test('works with the keyboard only', async ({ server, open, openWithoutPage }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
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

  test('gives every step its address and title, and Back returns to the step before', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const { page } = await open()
    await page.goto('/login?redirect=/devices')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page).toHaveURL('/login?redirect=%2Fdevices&forgot=true')
    await expect(page).toHaveTitle('Forgot password · Vrata')
    await expect(page.getByRole('heading', { name: 'Forgot password?' })).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveValue(cvetka.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page).toHaveURL('/login?redirect=%2Fdevices&sent=true')
    await expect(page.getByText(`If there is an account for ${cvetka.email}`)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Forgot password?' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/login?redirect=/devices')
    await expect(page).toHaveTitle('Sign in · Vrata')
    await expect(page.getByLabel('Email or username')).toHaveValue(cvetka.email)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page).toHaveTitle('Create an account · Vrata')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/devices')
  })

  test('redirects a signed-in user away from the sign-in page', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    await visitor.page.goto('/login?redirect=/privacy/settings')
    await expect(visitor.page).toHaveURL('/privacy/settings')
  })
})

import { developers } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { ana, cvetka, drago } = people

test.describe('route guard', () => {
  test('redirects to sign-in and afterwards to the requested page', async ({ server, open, openWithoutPage }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const { page } = await open()
    await page.goto('/privacy/settings?from=mail')
    await expect(page).toHaveURL(/\/login\?/)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/privacy/settings?from=mail')
    await expect(page.getByText('What is shown about you')).toBeVisible()
  })

  test('adds the current organization to a path without one and replaces a foreign one', async ({ server, open }) => {
    const owner = await open()
    await signUpConfirmed(server, owner, ana)
    const { developer_id } = await registerApp(owner)
    const { page } = owner
    await page.goto('/developers/members')
    await expect(page).toHaveURL(`/developers/${developer_id}/members`)

    const otherUser = await open()
    await signUpConfirmed(server, otherUser, drago)
    const { developer_id: otherDeveloper } = dataOf(
      await otherUser.call(developers.createDeveloper, { name: 'Tuja vrata' }),
    )
    await otherUser.page.goto(`/developers/${developer_id}/applications`)
    await expect(otherUser.page).toHaveURL(`/developers/${otherDeveloper}/applications`)
    await expect(otherUser.page.getByText('You no longer have access to this developer account.')).toBeVisible()
  })

  test('asks for an organization when the session has none', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, drago)
    const { page } = visitor
    await page.goto('/developers/members')
    await expect(page).toHaveURL('/developers/select?redirect=%2Fdevelopers%2Fmembers')
    await page.getByRole('button', { name: 'Create a developer account' }).click()
    await page.getByLabel('Name').fill('Nova vrata')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page).toHaveURL(/\/developers\/[\w-]+\/members$/)
  })

  test('requires a confirmed email in the developer area', async ({ open }) => {
    const visitor = await open()
    await signUp(visitor, drago)
    const { page } = visitor
    await page.goto('/developers')
    await expect(page).toHaveURL(/\/verify\?/)
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await page.getByRole('button', { name: 'Confirmed, continue' }).click()
    await expect(page.getByText('The address is not confirmed yet.')).toBeVisible()
    await page.getByRole('link', { name: 'Skip for now' }).click()
    await expect(page.getByText('Your email address is not confirmed')).toBeVisible()
  })

  test('waits a minute before the mail is sent again, also by a slow clock, and says when nothing can be asked', async ({
    open,
  }) => {
    const visitor = await open({ allow: /ERR_FAILED/ })
    await signUp(visitor, drago)
    const { page } = visitor
    await page.addInitScript(() => {
      const { now } = Date
      Date.now = () => now() - 3_600_000
    })
    await page.route('**/v1/account', (route) => route.abort())
    await page.goto('/verify')
    await expect(page.getByRole('button', { name: /^Resend in [1-6]?\d seconds?$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Confirmed, continue' }).click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  })

  test('lets the user replace an unconfirmed email and continues when it is confirmed', async ({ server, open }) => {
    const visitor = await open()
    await signUp(visitor, drago)
    const { page } = visitor
    await page.goto('/verify')
    await page.getByRole('button', { name: 'Use another address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('drago.drugi@example.com')
    await page.keyboard.press('Enter')
    await expect(page.getByText('We sent a link to drago.drugi@example.com')).toBeVisible()

    const link = await server.mailedLink('drago.drugi@example.com', '/confirm-email/')
    const phone = await open()
    await phone.page.goto(link)
    await phone.page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(phone.page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
    await expect(page).toHaveURL('/home')
    await expect(page.getByText('Only a password protects your account')).toBeVisible()
  })

  test('answers an unknown path with 404 and a page', async ({ open }) => {
    const { page } = await open()
    const answer = await page.goto('/nowhere/at/all')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
  })

  test('tells a signed-in user that a path below a page does not exist', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, drago)
    await visitor.page.goto('/developers/nothing/here')
    await expect(visitor.page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
  })

  test('says on another try that the server cannot be reached, and opens the page once it can', async ({
    server,
    open,
  }) => {
    const visitor = await open({ allow: /ERR_FAILED|Failed to (fetch|load)/ })
    const { page } = visitor
    await signUpConfirmed(server, visitor, drago)
    await page.goto('/home')
    // The page that says so is loaded ahead of time.
    await page.waitForLoadState('networkidle')
    await page.route('**', (route) => route.abort())
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText('Something went wrong')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(failure).toContainText('The server can’t be reached.')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible()
  })
})

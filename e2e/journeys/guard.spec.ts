import { developers } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { done, registerApp, settle, signUp } from '../settled.ts'

const { ana, cvetka, drago } = people

test.describe('§2 the route guard', () => {
  test('a visitor of a page behind it signs in and arrives there', async ({ house, open }) => {
    await settle(house, await open(), cvetka)
    const { page } = await open()
    await page.goto('/privacy/settings?from=mail')
    await expect(page).toHaveURL(/\/login\?/)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/privacy/settings?from=mail')
    await expect(page.getByText('What is shown about you')).toBeVisible()
  })

  test('adds the current organization to an address without one, and drops a foreign one', async ({ house, open }) => {
    const hers = await open()
    await settle(house, hers, ana)
    const { developer_id } = await registerApp(hers)
    const { page } = hers
    await page.goto('/developers/members')
    await expect(page).toHaveURL(`/developers/${developer_id}/members`)

    const stranger = await open()
    await settle(house, stranger, drago)
    const { developer_id: his } = done(await stranger.call(developers.createDeveloper, { name: 'Tuja vrata' }))
    await stranger.page.goto(`/developers/${developer_id}/applications`)
    await expect(stranger.page).toHaveURL(`/developers/${his}/applications`)
    await expect(stranger.page.getByText('You no longer have access to this developer account.')).toBeVisible()
  })

  test('without an organization one is chosen or made first', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, drago)
    const { page } = visitor
    await page.goto('/developers/members')
    await expect(page).toHaveURL('/developers/select?redirect=%2Fdevelopers%2Fmembers')
    await page.getByRole('button', { name: 'Create a developer account' }).click()
    await page.getByLabel('Name').fill('Nova vrata')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page).toHaveURL(/\/developers\/[\w-]+\/members$/)
  })

  test('the developer area waits for a confirmed address', async ({ open }) => {
    const visitor = await open()
    await signUp(visitor, drago)
    const { page } = visitor
    await page.goto('/developers')
    await expect(page).toHaveURL(/\/verify\?/)
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
    await page.getByRole('button', { name: 'I have confirmed' }).click()
    await expect(page.getByText('The address is not confirmed yet.')).toBeVisible()
    await page.getByRole('link', { name: 'Later, go to Home' }).click()
    await expect(page.getByText('Your email address is not confirmed')).toBeVisible()
  })

  test('another address can be given while the first waits, and the page moves on by itself', async ({
    house,
    open,
  }) => {
    const visitor = await open()
    await signUp(visitor, drago)
    const { page } = visitor
    await page.goto('/verify')
    await page.getByRole('button', { name: 'Use another address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('drago.drugi@example.com')
    await page.keyboard.press('Enter')
    await expect(page.getByText('We sent a link to drago.drugi@example.com')).toBeVisible()

    const link = await house.mailedLink('drago.drugi@example.com', '/confirm-email/')
    const phone = await open()
    await phone.page.goto(link)
    await phone.page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(phone.page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
    await expect(page).toHaveURL('/home')
    await expect(page.getByText('Only a password protects your account')).toBeVisible()
  })

  test('an address that is none of ours is 404 in words and in status', async ({ open }) => {
    const { page } = await open()
    const answer = await page.goto('/nowhere/at/all')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'There is no door here.' })).toBeVisible()
  })
})

import { people } from '../../server/test/people.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { registerApp, settle } from '../settled.ts'

const { ana } = people

test.describe('the documentation for developers', () => {
  test('is read by anybody: searched by keyboard, linked to the section, and honest about what is not there', async ({
    house,
    open,
  }) => {
    test.slow()
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'], allow: /404/ })
    await page.goto('/developers/docs')
    await expect(page).toHaveTitle('Documentation · Vrata')
    await inspect(page, 'contents of the documentation')

    await page.keyboard.press('/')
    await page.keyboard.type('refresh tok')
    const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
    await expect(found.first()).toBeVisible()
    await inspect(page, 'search in the documentation')
    await page.keyboard.press('ArrowDown')
    await expect(found.nth(1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Tokens and refresh' })).toBeVisible()
    await expect(page).toHaveTitle(/^Tokens and refresh · /)
    await inspect(page, 'a page of the documentation')

    // The address of this very server stands in the examples, and is what is copied.
    await page.getByRole('button', { name: 'Copy Terminal' }).first().click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl ${house.url}/token`)

    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Revoke' }).click()
    await expect(page).toHaveURL('/developers/docs/tokens#revoke')
    await page.goto('/developers/docs/errors#at-the-token-endpoint')
    await expect(page.getByRole('heading', { name: 'At the token endpoint' })).toBeInViewport()

    await page.keyboard.press('/')
    await page.keyboard.type('xylophone')
    await expect(page.getByText('Nothing found. Try another word.')).toBeVisible()

    const answer = await page.goto('/developers/docs/never-written')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'There is no page of this name' })).toBeVisible()
    await inspect(page, 'no such page of the documentation')
  })

  test('on a phone, its contents fold away', async ({ open }) => {
    const { page } = await open({ ...PHONE, locale: 'sl-SI' })
    await page.goto('/developers/docs/errors')
    await expect(page.getByText('Dokumentacija je v angleščini.')).toBeVisible()
    const link = page.getByRole('link', { name: 'Signing out', exact: true })
    await expect(link).toBeHidden()
    await page.getByRole('button', { name: 'Vsebina: Errors' }).click()
    await link.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Signing out' })).toBeVisible()
    await expect(link).toBeHidden()
  })

  test('is complete without script', async ({ open }) => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto('/developers/docs/sign-in')
    await expect(page.getByRole('heading', { level: 1, name: 'Signing people in' })).toBeVisible()
    await expect(page.getByText('--data grant_type=authorization_code')).toBeVisible()
    await page.getByRole('link', { name: 'Tokens and refresh' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Tokens and refresh' })).toBeVisible()
  })

  test('a developer sees the examples with the values of an app of theirs', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, ana)
    const app = await registerApp(visitor, 'http://localhost:3000/callback')
    const { page } = visitor
    await page.goto('/developers/docs/getting-started')
    await page.getByLabel('Fill in the values of').selectOption(app.client_id)
    await expect(page.getByText(`'${app.client_id}'`)).toBeVisible()
    await inspect(page, 'documentation with the values of an app')
  })
})

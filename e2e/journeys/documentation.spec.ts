import { people } from '../../server/test/people.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana } = people

test.describe('documentation for developers', () => {
  test('is public: it is searched by keyboard, links to sections, and answers 404 for an unknown page', async ({
    server,
    open,
  }) => {
    test.slow()
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'], allow: /404/ })
    await page.goto('/developers/docs')
    await expect(page).toHaveTitle('Documentation · Vrata')
    await checkAccessibility(page, 'table of contents of the documentation')

    await page.keyboard.press('/')
    await page.keyboard.type('refresh tok')
    const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
    await expect(results.first()).toBeVisible()
    await checkAccessibility(page, 'search in the documentation')
    await page.keyboard.press('ArrowDown')
    await expect(results.nth(1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Tokens and refresh' })).toBeVisible()
    await expect(page).toHaveTitle(/^Tokens and refresh · /)
    await checkAccessibility(page, 'a page of the documentation')

    // Examples contain the URL of this server.
    await page.getByRole('button', { name: 'Copy Terminal' }).first().click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl ${server.url}/token`)

    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Revoke' }).click()
    await expect(page).toHaveURL('/developers/docs/tokens#revoke')
    await page.goto('/developers/docs/errors#at-the-token-endpoint')
    await expect(page.getByRole('heading', { name: 'At the token endpoint' })).toBeInViewport()

    await page.keyboard.press('/')
    await page.keyboard.type('xylophone')
    await expect(page.getByText('No results. Try another word.')).toBeVisible()

    const answer = await page.goto('/developers/docs/never-written')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
    await checkAccessibility(page, 'unknown page of the documentation')
  })

  test('collapses the table of contents on a phone', async ({ open }) => {
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

  test('is complete without JavaScript', async ({ open }) => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto('/developers/docs/sign-in')
    await expect(page.getByRole('heading', { level: 1, name: 'Signing people in' })).toBeVisible()
    await expect(page.getByText('--data grant_type=authorization_code')).toBeVisible()
    await page.getByRole('link', { name: 'Tokens and refresh' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Tokens and refresh' })).toBeVisible()
  })

  test('shows examples with the values of an app of the developer', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    const app = await registerApp(visitor, 'http://localhost:3000/callback')
    const { page } = visitor
    await page.goto('/developers/docs/getting-started')
    await page.getByLabel('Show the values of').selectOption(app.client_id)
    await expect(page.getByText(`'${app.client_id}'`)).toBeVisible()
    await checkAccessibility(page, 'documentation with the values of an app')
    await page.getByRole('link', { name: 'Go to your apps' }).click()
    await expect(page).toHaveURL(`/developers/${app.developer_id}/applications`)
  })
})

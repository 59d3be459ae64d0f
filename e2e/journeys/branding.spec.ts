import type { Page } from '@playwright/test'
import { branding, operators } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { ana, bor } = people

test('an installation gets a name and a color, and pages have them at once', async ({ server, open }) => {
  test.slow()
  const operator = await open()
  const { page, call } = operator
  await signUpConfirmed(server, operator, ana)
  await enableOtp(operator)
  const token = (await server.setupLink()).split('/').at(-1) ?? ''
  dataOf(await call(operators.completeSetup, { token }))
  const person = await open()
  await signUpConfirmed(server, person, bor)

  await test.step('an open page takes them up', async () => {
    const connected = socketOpened(person.page)
    await person.page.goto('/home')
    await connected
    dataOf(
      await call(branding.updateBranding, {
        name: 'Acme & Sons',
        accent: '#7a1fa2',
        support_url: 'https://acme.example/help',
        sign_in_text: { 'en-US': 'For the people of Acme.\nAsk in room 12.' },
      }),
    )
    await expect(person.page.getByRole('link', { name: 'Acme & Sons' }).first()).toBeVisible()
    await expect(person.page).toHaveTitle('Home · Acme & Sons')
    await expect(person.page.getByRole('link', { name: 'Help' })).toHaveAttribute('href', 'https://acme.example/help')
    expect(await brandOf(person.page)).toContain('#7a1fa2')
  })

  await test.step('public pages have them in every language, and nothing of ours', async () => {
    const visitor = await open()
    for (const path of ['/login', '/login?register=true', '/login?forgot=true', '/logout', '/nowhere']) {
      await visitor.page.goto(path)
      await expect(visitor.page, path).toHaveTitle(/ · Acme & Sons$/)
      expect(await visitor.page.locator('body').innerText(), path).not.toContain('Vrata')
    }
    await visitor.page.goto('/login')
    await expect(visitor.page.getByText('For the people of Acme.')).toBeVisible()
    await visitor.page.getByRole('combobox', { name: 'Language' }).selectOption('Slovenščina')
    await expect(visitor.page.getByText('Nadaljujte s svojim računom Acme & Sons.')).toBeVisible()
    await checkAccessibility(visitor.page, 'sign-in with a look of its own')
  })

  await test.step('pages of signed-in users have them, too', async () => {
    await registerApp(operator)
    for (const path of ['/home', '/your-info', '/privacy/settings', '/security', '/devices', '/applications']) {
      await page.goto(path)
      await expect(page, path).toHaveTitle(/ · Acme & Sons$/)
      expect(await page.locator('body').innerText(), path).not.toContain('Vrata')
    }
    await checkAccessibility(page, 'connected apps with a look of its own')
  })
})

/** The accent color of the page. */
const brandOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-brand'))

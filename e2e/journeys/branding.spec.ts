import type { Locator } from '@playwright/test'
import { branding, operators } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { halves } from '../../server/test/pictures.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { ana, bor } = people

test('an installation gets a name and a color, and pages have them at once', async ({ server, open }) => {
  test.slow()
  const operator = await open()
  const { page, call } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)

  await test.step('the preview shows what is typed, with readable colors, in the language of the field', async () => {
    await page.goto('/admin/look')
    await page.getByLabel('Name', { exact: true }).fill('Acme & Sons')
    await page.getByLabel('Accent color', { exact: true }).fill('#7a1')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Enter a color such as #006867.')).toBeVisible()
    await page.getByLabel('Accent color', { exact: true }).fill('#7a1fa2')
    await expect(page.getByText('as chosen')).toBeVisible()
    await expect(page.getByText('made readable')).toBeVisible()
    await page.getByLabel('English: text').fill('For the people of Acme.\nAsk in room 12.')
    const preview = page.getByRole('img', { name: 'Sign-in' })
    await expect(preview).toContainText('Use your Acme & Sons account to continue.')
    await expect(preview).toContainText('Ask in room 12.')
    expect(await brandOf(preview)).toContain('#7a1fa2')
    expect(await brandOf(page.locator('html'))).not.toContain('#7a1fa2')
    await page.getByLabel('Slovenian: last lines').fill('Acme, d. o. o.')
    await expect(page.getByRole('img', { name: 'Email' })).toContainText('Potrdite svoj e-naslov')
    await expect(page.getByRole('img', { name: 'Email' })).toContainText('Acme, d. o. o.')
    await page.getByRole('radio', { name: 'Consent' }).check()
    await page.getByRole('group', { name: 'Theme' }).last().getByRole('radio', { name: 'Dark' }).check()
    await checkAccessibility(page, 'look')
  })

  await test.step('a wrong address is named, a file that is no picture refused, and nothing unsaved is lost', async () => {
    await page.getByLabel('Address for help').fill('acme.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Enter a complete address that begins with https://.')).toBeVisible()
    await page.getByLabel('Address for help').fill('https://acme.example/help')
    const logo = page.getByRole('group', { name: 'Logo', exact: true })
    await logo.locator('input').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
    await expect(logo.getByRole('alert')).toContainText('Choose a')
    await logo.locator('input').setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: await halves('png') })
    await expect(logo.getByRole('button', { name: 'Replace' })).toBeVisible()
    await page.getByRole('link', { name: 'Audit log' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Acme & Sons')
  })

  await test.step('an open page takes them up', async () => {
    const connected = socketOpened(person.page)
    await person.page.goto('/home')
    await connected
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The look is saved.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
    await expect(person.page.getByRole('link', { name: 'Acme & Sons' }).first()).toBeVisible()
    await expect(person.page).toHaveTitle('Home · Acme & Sons')
    await expect(person.page.getByRole('link', { name: 'Help' })).toHaveAttribute('href', 'https://acme.example/help')
    expect(await brandOf(person.page.locator('html'))).toContain('#7a1fa2')
  })

  await test.step('an auditor reads them, and sees a change at once', async () => {
    await enableOtp(person)
    dataOf(await call(operators.addOperator, { email: bor.email, role: 'auditor' }))
    const connected = socketOpened(person.page)
    await person.page.goto('/admin/look')
    await connected
    await expect(person.page.getByText('Only administrators can change the look.')).toBeVisible()
    await expect(person.page.getByLabel('Name', { exact: true })).not.toBeEditable()
    await expect(person.page.getByRole('button', { name: 'Replace' })).toBeHidden()
    await page.getByLabel('Address of the legal notice').fill('https://acme.example/imprint')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(person.page.getByLabel('Address of the legal notice')).toHaveValue('https://acme.example/imprint')
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

  await test.step('the sign-in button of other sites has its name, without the logo of Vrata', async () => {
    await page.goto('/developers')
    const button = page.getByRole('button', { name: 'Sign in with Acme & Sons', exact: true })
    await expect(button).toBeVisible()
    await expect(button.locator('svg')).toHaveCount(0)
  })
})

test('a long name without spaces stays within every page', async ({ server, open }) => {
  test.slow()
  const operator = await open()
  const { page, call } = operator
  await signUpOperator(server, operator, ana)
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte'
  dataOf(await call(branding.updateBranding, { name }))
  const sidebar = page.getByRole('banner').getByRole('link', { name })
  for (const path of ['/home', '/admin/overview', '/developers']) {
    await page.goto(path)
    await expect(sidebar).toBeVisible()
    await checkAccessibility(page, path)
  }
  const visitor = await open()
  for (const path of ['/login', '/login?register=true', '/developers/docs']) {
    await visitor.page.goto(path)
    await checkAccessibility(visitor.page, path)
  }
})

/** The accent color of an element, as its style sheets name it. */
const brandOf = (element: Locator) =>
  element.evaluate((node) => getComputedStyle(node).getPropertyValue('--color-brand'))

import { expect, type Page } from '@playwright/test'
import { jadrolet, people, studio } from '../server/test/people.ts'
import { virtualAuthenticator } from './authenticator.ts'
import type { TestServer } from './server/test-server.ts'

const { ana, bor } = people

type Walk = {
  page: Page
  server: Pick<TestServer, 'setupLink' | 'mailedLink'>
  redirect_uri: string
  /** A PNG file. */
  logo: Buffer
  /** Called at each screen that the handbook shows. */
  show: (screen: 'setup-account' | 'setup-installation' | 'setup-joining' | 'look' | 'access') => Promise<void>
}

/**
 * A newcomer's first ten minutes with an installation, by its pages alone: from the printed link to the first app, which
 * only a group may use. The first invited person is in that group. Returns the client of the app.
 */
export async function setUpInstallation({ page, server, redirect_uri, logo: file, show }: Walk) {
  const dialog = page.getByRole('dialog')

  // My account, with a passkey.
  await virtualAuthenticator(page)
  await page.goto(await server.setupLink())
  await expect(page.getByRole('heading', { name: 'Set up this installation' })).toBeVisible()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('First name').fill(ana.first_name)
  await page.getByLabel('Last name').fill(ana.last_name)
  await page.getByLabel('Email', { exact: true }).fill(ana.email)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('We sent a link to')).toBeVisible()
  const mail = await page.context().newPage()
  await mail.goto(await server.mailedLink(ana.email, '/confirm-email/'))
  await mail.getByRole('button', { name: 'Confirm email' }).click()
  await expect(mail.getByText('is confirmed.')).toBeVisible()
  await mail.close()
  await expect(page.getByRole('heading', { name: 'First protect your account' })).toBeVisible()
  await show('setup-account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Become the administrator' }).click()

  // This installation: its name, its address, and whether mails arrive.
  await expect(page.getByRole('heading', { name: 'This installation' })).toBeVisible()
  await page.getByLabel('Name').fill('Kras')
  await expect(page.getByText('Your browser uses the same address.')).toBeVisible()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expect(page.getByText('the test email is kept on the server')).toBeVisible()
  await server.mailedLink(ana.email, '/admin')
  await show('setup-installation')
  await page.getByRole('button', { name: 'Continue' }).click()

  // Step 3: registration.
  await page.getByLabel('Who may create an account').selectOption('Addresses of some domains')
  await page.getByLabel('Domains').fill('@example.com')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByLabel('Domains')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Domains').fill('example.com')
  await show('setup-joining')
  await page.getByRole('button', { name: 'Finish' }).click()

  await page.getByRole('link', { name: 'Choose a logo and a color' }).click()
  const logo = page.getByRole('group', { name: 'Logo', exact: true })
  await logo.locator('input').setInputFiles({ name: 'kras.png', mimeType: 'image/png', buffer: file })
  await expect(logo.getByRole('button', { name: 'Replace' })).toBeVisible()
  await page.getByLabel('Accent color', { exact: true }).fill('#8a3b12')
  await page.getByLabel('English: text').fill('For everybody who works on the Karst.')
  await show('look')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The look is saved.')).toBeVisible()

  // The first group, and the first person in it.
  await page.getByRole('link', { name: 'People' }).first().click()
  await page.getByRole('button', { name: 'Add a person' }).click()
  await dialog.getByLabel('Email').fill(bor.email)
  await dialog.getByLabel('First name').fill(bor.first_name)
  await dialog.getByLabel('Last name').fill(bor.last_name)
  await dialog.getByRole('button', { name: 'Add a person' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bor Horvat' })).toBeVisible()
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await page.getByRole('button', { name: 'Create a group' }).click()
  await dialog.getByLabel('Name').fill('Staff')
  await dialog.getByLabel('Key').fill('staff')
  await dialog.getByRole('button', { name: 'Create a group' }).click()
  await page.getByRole('button', { name: 'Add a person' }).click()
  await dialog.getByLabel('Email, username or ID').fill(bor.email)
  await dialog.getByRole('button', { name: 'Add a person' }).click()
  await expect(page.getByRole('button', { name: 'Remove Bor Horvat from the group' })).toBeVisible()

  // The first app, for the group alone.
  await page.goto('/developers?create=true')
  await dialog.getByLabel('Name').fill(studio.name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Register an app' }).first().click()
  await dialog.getByLabel('Name').fill(jadrolet.name)
  await dialog.getByLabel('Redirect URI').fill(redirect_uri)
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(dialog.getByRole('button', { name: 'Open the app' })).toBeVisible()
  const [client_id = '', client_secret = ''] = await dialog.locator('code').allInnerTexts()
  await dialog.getByRole('button', { name: 'Open the app' }).click()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Change access' }).click()
  await dialog.getByLabel('Who may use this app').selectOption('Members of groups')
  await dialog.getByLabel('Keys of the groups').fill('staff')
  await dialog.getByRole('button', { name: 'Change access' }).click()
  await expect(page.getByText('Only members of these groups: staff')).toBeVisible()
  await show('access')
  return { client_id, client_secret }
}

import type { Page } from '@playwright/test'
import { clients, developers } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { halves } from '../../server/test/pictures.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { ana } = people
const REAUTHENTICATION_REQUIRED = {
  status: 'error',
  error: { code: 'reauthentication_required', message: 'Sign in again.' },
}

test.describe('organization settings', () => {
  test('saves details and a logo, updates the menu, and records activity', async ({ server, open }) => {
    const visitor = await open()
    const { page } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { developer_id } = await registerApp(visitor)
    await page.goto(`/developers/${developer_id}/settings`)
    // Each field is saved when it loses focus, so that nothing is lost when the page is left.
    await page.getByLabel('Name').fill('Kraška delavnica')
    await page.getByLabel('Website').fill('kras')
    await expect(page.locator('main').getByText('Saved', { exact: true }).first()).toBeVisible()
    await page.getByLabel('Company').focus()
    await expect(page.getByText('Enter a full URL')).toBeVisible()
    await expect(page.locator('main').getByText('Not saved', { exact: true }).first()).toBeVisible()
    await page.getByLabel('Website').fill('https://kras.example/')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter a full URL')).toBeHidden()
    await expect(page.locator('main').getByText('Not saved', { exact: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Accounts: Kraška delavnica/ })).toBeVisible()

    await choosePicture(page, 'Add a picture', 'logo.png')
    await expect(page.getByText('Picture updated.')).toBeVisible()
    await expect(page.locator('main img[src*="/v1/media/"]').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Accounts/ }).locator('img')).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove the picture?' }).getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('button', { name: 'Add a picture' })).toBeVisible()

    await page.getByRole('link', { name: 'Activity' }).click()
    await expect(page).toHaveURL(`/developers/${developer_id}/settings/activity`)
    await expect(page.locator('main nav [aria-current=page]')).toHaveText(['Activity'])
    const lines = page.locator('main section').getByRole('listitem')
    await expect(lines.first()).toContainText('Removed the logo')
    await expect(lines.nth(2)).toContainText('Edited the organization')
    await expect(lines.nth(2)).toContainText('Website')
    await expect(lines.nth(3)).toContainText('Name')
    await page.getByLabel('Type').selectOption({ label: 'Registered an app' })
    await expect(lines).toHaveCount(1)
    await expect(lines).toContainText('Registered the app Jadrolet')
    await page.getByLabel('Type').selectOption({ label: 'Removed a scope' })
    await expect(page.getByText('No activity matches these filters.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(lines).toHaveCount(6)
  })

  test('deletes the organization after its name is typed and the user reauthenticates', async ({ server, open }) => {
    const visitor = await open()
    const { page } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { developer_id } = await registerApp(visitor)
    await page.goto(`/developers/${developer_id}/settings`)
    // The first response is the one for a sign-in older than ten minutes (api §2.7).
    let requests = 0
    await page.route('**/v1/developer', (route) =>
      route.request().method() === 'DELETE' && requests++ === 0
        ? route.fulfill({ status: 403, json: REAUTHENTICATION_REQUIRED })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete the organization ${studio.name}?` })
    await expect(dialog).toContainText('their users will be unable to log in')
    await expect(dialog).toContainText('Deleting an organization is irreversible.')
    await dialog.getByRole('textbox').fill('Kraški')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The name does not match.')).toBeVisible()
    await dialog.getByRole('textbox').fill(studio.name)
    await page.keyboard.press('Enter')
    const reauthentication = page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await reauthentication.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/developers')
    await expect(page.getByText('Organization deleted.')).toBeVisible()
    await expect(page.getByText('Your developer accounts')).toBeHidden()
    expect((await visitor.call(developers.getDeveloper)).ok).toBe(false)
  })
})

test.describe('app icon', () => {
  test('rejects an SVG, is shown in the list and the consent preview, and is removed', async ({ server, open }) => {
    const visitor = await open({ allow: /415/ })
    const { page } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { developer_id, client_id } = await registerApp(visitor)
    const apps = `/developers/${developer_id}/applications`
    await page.goto(`${apps}/${client_id}/details`)
    const fileChooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add a picture' }).click()
    await (await fileChooser).setFiles({
      name: 'icon.svg',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await expect(page.getByRole('alert').filter({ hasText: 'SVG' })).toBeVisible()

    await choosePicture(page, 'Add a picture', 'icon.png')
    await expect(page.locator('main img[src*="/v1/media/"]')).toHaveCount(3)
    await page.goto(apps)
    await expect(page.getByRole('link', { name: /Jadrolet/ }).locator('img')).toBeVisible()
    await expect(page.getByRole('link', { name: /Jadrolet/ })).toContainText('no sign-ins in 7 days')
    const { icon } = dataOf(await visitor.call(clients.getClient, { id: client_id }))
    await page.goto(`${apps}/${client_id}/details`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('button', { name: 'Add a picture' })).toBeVisible()
    await expect.poll(async () => (await page.request.get(`/v1/media/${icon}`)).status()).toBe(404)
  })
})

test('the list of apps keeps its search and order in the address', async ({ server, open }) => {
  const visitor = await open()
  const { page, call } = visitor
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  const names = ['Trajekt', 'Burja', 'Soča', 'Kras', 'Vipava', 'Nanos']
  for (const name of names) dataOf(await call(clients.createClient, { name }))
  await page.goto(`/developers/${developer_id}/applications`)
  await page.getByLabel('Search apps').fill('Traj')
  await expect(page.getByText('1 app', { exact: true })).toBeVisible()
  await page.getByLabel('Sort by').selectOption('Newest first')
  await expect(page).toHaveURL(/\?query=Traj&sort=newest$/)
  await page.getByRole('link', { name: /Trajekt/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Trajekt' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Search apps')).toHaveValue('Traj')
  await expect(page.getByText('1 app', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Sort by')).toHaveValue('newest')
  await page.getByLabel('Search apps').fill('')
  await expect(page.getByText('7 apps')).toBeVisible()
})

test.describe('two tabs in two organizations', () => {
  test('each tab acts in the organization of its URL, also after a session refresh', async ({ server, open }) => {
    const visitor = await open()
    const { page: first, context } = visitor
    await signUpConfirmed(server, visitor, ana)
    const registered = await registerApp(visitor)
    const { developer_id: secondDeveloper } = dataOf(await visitor.call(developers.createDeveloper, { name: 'Burja' }))

    await first.goto(`/developers/${registered.developer_id}/settings`)
    await expect(first.getByLabel('Name')).toHaveValue(studio.name)
    const second = await context.newPage()
    await second.goto(`/developers/${secondDeveloper}/settings`)
    await expect(second.getByLabel('Name')).toHaveValue('Burja')

    // The session is now in the second organization; calls of the first tab still act in the first one.
    await first.getByLabel('Company').fill('Kras d.o.o.')
    await first.keyboard.press('Enter')
    await expect(first.locator('main').getByText('Saved', { exact: true }).first()).toBeVisible()
    await second.reload()
    await expect(second.getByLabel('Company')).toHaveValue('')
    await first.getByRole('link', { name: 'Applications' }).first().click()
    await expect(first.getByRole('link', { name: /Jadrolet/ })).toBeVisible()
    await expect(first).toHaveURL(`/developers/${registered.developer_id}/applications`)

    await second.getByRole('link', { name: 'Applications' }).first().click()
    await expect(second.getByText('No apps yet')).toBeVisible()
    // Without the access cookie, the next call of the first tab refreshes the session of the second organization.
    await context.clearCookies({ name: /access/ })
    await first.getByRole('link', { name: /Jadrolet/ }).click()
    await expect(first.getByRole('heading', { level: 1, name: 'Jadrolet' })).toBeVisible()
    await expect(first).toHaveURL(`/developers/${registered.developer_id}/applications/${registered.client_id}/details`)
    await expect(first.getByRole('button', { name: new RegExp(`^Accounts: ${studio.name}`) })).toBeVisible()

    await second.getByRole('button', { name: 'Register an app' }).click()
    await second.getByRole('dialog').getByLabel('Name').fill('Trajekt')
    await second.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
    await expect(second.getByText('Copy the secret now')).toBeVisible()
    await first.getByRole('link', { name: 'Applications' }).first().click()
    await first.reload()
    await expect(first.getByRole('link', { name: /Jadrolet/ })).toBeVisible()
    await expect(first.getByRole('link', { name: /Trajekt/ })).toHaveCount(0)
  })
})

test('the account button of a phone shows the account and names it with its address or level', async ({
  server,
  open,
}) => {
  const visitor = await open({ viewport: { width: 390, height: 844 } })
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  await visitor.page.goto('/home')
  const button = visitor.page.getByRole('button', { name: /^Accounts/ })
  await expect(button).toHaveAccessibleName(`Accounts: Ana Kovač, ${ana.email}`)
  await expect(button.getByText('AK')).toBeVisible()
  await visitor.page.goto(`/developers/${developer_id}/applications`)
  await expect(button).toHaveAccessibleName(`Accounts: ${studio.name}, Owner`)
  await expect(button.getByText('KS')).toBeVisible()
})

/** Chooses a PNG picture in the file dialog that a button opens. */
async function choosePicture(page: Page, button: string, name: string) {
  const fileChooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  const file = { name, mimeType: 'image/png', buffer: await halves('png') }
  await (await fileChooser).setFiles(file)
}

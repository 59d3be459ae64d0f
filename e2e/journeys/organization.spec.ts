import type { Page } from '@playwright/test'
import { clients, developers } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { halves } from '../../server/test/pictures.ts'
import { expect, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana } = people
const REFUSED = { status: 'error', error: { code: 'reauthentication_required', message: 'Sign in again.' } }

test.describe('§2 the settings of an organization', () => {
  test('are edited, with a logo that the menu shows at once; everything is written down', async ({ house, open }) => {
    const visitor = await open()
    const { page } = visitor
    await settle(house, visitor, ana)
    const { developer_id } = await registerApp(visitor)
    await page.goto(`/developers/${developer_id}/settings`)
    await page.getByLabel('Name').fill('Kraška delavnica')
    await page.getByLabel('Website').fill('kras')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Write a whole address')).toBeVisible()
    await page.getByLabel('Website').fill('https://kras.example/')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Accounts: Kraška delavnica/ })).toBeVisible()

    await choose(page, 'Add a picture', 'logo.png')
    await expect(page.getByText('The new picture is here.')).toBeVisible()
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
    await expect(lines.nth(2)).toContainText('Name, Website')
    await page.getByLabel('What').selectOption({ label: 'Registered an app' })
    await expect(lines).toHaveCount(1)
    await expect(lines).toContainText('Registered the app Jadrolet')
    await page.getByLabel('What').selectOption({ label: 'Removed a scope' })
    await expect(page.getByText('Nothing like this has been done.')).toBeVisible()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await expect(lines).toHaveCount(5)
  })

  test('end with it, by its name typed and a fresh proof', async ({ house, open }) => {
    const visitor = await open()
    const { page } = visitor
    await settle(house, visitor, ana)
    const { developer_id } = await registerApp(visitor)
    await page.goto(`/developers/${developer_id}/settings`)
    // Nobody waits ten minutes in a test: the first answer is the one that an older sign-in gets.
    let asked = 0
    await page.route('**/v1/developer', (route) =>
      route.request().method() === 'DELETE' && asked++ === 0
        ? route.fulfill({ status: 403, json: REFUSED })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete the organization ${studio.name}?` })
    await expect(dialog).toContainText('their users will be unable to log in')
    await expect(dialog).toContainText('Deleting is irreversible.')
    await dialog.getByRole('textbox').fill('Kraški')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The name does not match.')).toBeVisible()
    await dialog.getByRole('textbox').fill(studio.name)
    await page.keyboard.press('Enter')
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/developers')
    await expect(page.getByText('The organization is deleted.')).toBeVisible()
    await expect(page.getByText('Your developer accounts')).toBeHidden()
    expect((await visitor.call(developers.getDeveloper)).ok).toBe(false)
  })
})

test.describe('§2 the icon of an app', () => {
  test('is sent, seen in the list and on the consent preview, refused when it is none, and goes', async ({
    house,
    open,
  }) => {
    const visitor = await open({ allow: /415/ })
    const { page } = visitor
    await settle(house, visitor, ana)
    const { developer_id, client_id } = await registerApp(visitor)
    const apps = `/developers/${developer_id}/applications`
    await page.goto(`${apps}/${client_id}/details`)
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add a picture' }).click()
    await (await choosing).setFiles({
      name: 'icon.svg',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await expect(page.getByRole('alert').filter({ hasText: 'SVG' })).toBeVisible()

    await choose(page, 'Add a picture', 'icon.png')
    await expect(page.locator('main img[src*="/v1/media/"]')).toHaveCount(3)
    await page.goto(apps)
    await expect(page.getByRole('link', { name: /Jadrolet/ }).locator('img')).toBeVisible()
    await expect(page.getByRole('link', { name: /Jadrolet/ })).toContainText('no sign-ins in 7 days')
    const { icon } = done(await visitor.call(clients.getClient, { id: client_id }))
    await page.goto(`${apps}/${client_id}/details`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('button', { name: 'Add a picture' })).toBeVisible()
    await expect.poll(async () => (await page.request.get(`/v1/media/${icon}`)).status()).toBe(404)
  })
})

test.describe('§2 two tabs in two organizations', () => {
  test('each acts in its own, as its address says, also after the session was renewed', async ({ house, open }) => {
    const visitor = await open()
    const { page: first, context } = visitor
    await settle(house, visitor, ana)
    const one = await registerApp(visitor)
    const { developer_id: other } = done(await visitor.call(developers.createDeveloper, { name: 'Burja' }))

    await first.goto(`/developers/${one.developer_id}/settings`)
    await expect(first.getByLabel('Name')).toHaveValue(studio.name)
    const second = await context.newPage()
    await second.goto(`/developers/${other}/settings`)
    await expect(second.getByLabel('Name')).toHaveValue('Burja')

    // The session is in the second one now; the first neither sees nor does anything there.
    await first.getByLabel('Company').fill('Kras d.o.o.')
    await first.getByRole('button', { name: 'Save' }).click()
    await expect(first.getByText('Saved.')).toBeVisible()
    await second.reload()
    await expect(second.getByLabel('Company')).toHaveValue('')
    await first.getByRole('link', { name: 'Applications' }).first().click()
    await expect(first.getByRole('link', { name: /Jadrolet/ })).toBeVisible()
    await expect(first).toHaveURL(`/developers/${one.developer_id}/applications`)

    await second.getByRole('link', { name: 'Applications' }).first().click()
    await expect(second.getByText('No apps yet')).toBeVisible()
    // The access cookie ends: what the first tab asks next renews the session, which is in the second's organization.
    await context.clearCookies({ name: /access/ })
    await first.getByRole('link', { name: /Jadrolet/ }).click()
    await expect(first.getByRole('heading', { level: 1, name: 'Jadrolet' })).toBeVisible()
    await expect(first).toHaveURL(`/developers/${one.developer_id}/applications/${one.client_id}/details`)
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

/** Chooses a picture in the file dialog that a button opens. */
async function choose(page: Page, button: string, name: string) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  const file = { name, mimeType: 'image/png', buffer: await halves('png') }
  await (await choosing).setFiles(file)
}

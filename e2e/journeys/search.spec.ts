import { developers, members } from '@vrata/contract'
import { jadrolet, people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, bor, cvetka } = people

test('Ctrl+K finds pages, settings, apps and people with the keyboard alone', async ({ server, open }) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { client_id, developer_id } = await registerApp(visitor)
  dataOf(await visitor.call(members.inviteMember, { email: bor.email }))
  const { page } = visitor
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Search pages, settings, apps and people' })
  const active = page.getByRole('option', { selected: true })
  async function search(text: string) {
    await expect(field).toBeHidden()
    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused()
    await page.keyboard.type(text)
  }

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await expect(page.getByRole('group', { name: 'Pages' }).getByRole('option').first()).toHaveText('Home')
  await checkAccessibility(page, 'search')
  await page.keyboard.press('Control+k')
  await expect(field).toBeHidden()

  await search('passk')
  await expect(active).toContainText('Passkeys')
  await expect(page.getByRole('status').filter({ hasText: '1 result' })).toBeAttached()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/security/passkeys')
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeFocused()

  await search('birth')
  await expect(active).toContainText('Birth date')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Birth date' })).toBeVisible()
  // Another dialog stays.
  await page.keyboard.press('Control+k')
  await expect(field).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await search('kraski')
  await expect(page.getByRole('group', { name: 'Developer accounts' })).toContainText(studio.name)
  await field.fill('jadro')
  await expect(page.getByRole('group', { name: 'Apps' })).toContainText(jadrolet.name)
  await page.getByRole('group', { name: 'Apps' }).getByRole('option').click()
  await expect(page).toHaveURL(`/developers/${developer_id}/applications/${client_id}/details`)
  await expect(page.getByRole('heading', { level: 1, name: jadrolet.name })).toBeVisible()

  await search(bor.email)
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/developers/${developer_id}/members`)
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible()

  await search('theme dark')
  await expect(active).toContainText('Theme: Dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await search('xyzzy')
  await expect(page.getByText('Nothing found for “xyzzy”')).toBeVisible()
})

test('a search that the server does not answer says so, not that nothing is found', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  await registerApp(visitor)
  const { page } = visitor
  await page.goto('/home')
  await page.route('**/v1/client?*', (route) => route.abort())
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search pages, settings, apps and people' }).fill('xyzzy')
  await expect(page.getByText('Apps and people could not be searched.')).toBeVisible()
  await expect(page.getByText('Nothing found')).toBeHidden()
  // The message is also below results.
  await page.getByRole('combobox').fill('devices')
  await expect(page.getByRole('option', { name: /^Devices/ })).toBeVisible()
  await expect(page.getByText('Apps and people could not be searched.')).toBeVisible()
})

test('the search finds only what the level allows, and opens from the header of a phone', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const owner = await openWithoutPage()
  await signUpConfirmed(server, owner, cvetka)
  dataOf(await owner.call(developers.createDeveloper, { name: studio.name }))
  const { link } = dataOf(await owner.call(members.inviteMember, { email: ana.email, permission: 'member' }))
  const visitor = await open({ ...PHONE, locale: 'sl-SI' })
  await signUpConfirmed(server, visitor, { ...ana, language: 'sl-SI' })
  const { page } = visitor
  await page.goto(link)
  await page.getByRole('button', { name: 'Pridruži se' }).click()
  await expect(page).toHaveURL(/\/developers\//)
  await page.goto('/home')
  await page
    .getByRole('button', { name: 'Iskanje' })
    .or(page.getByRole('button', { name: 'Išči' }))
    .click()
  const field = page.getByRole('combobox', { name: 'Poiščite strani, nastavitve, aplikacije in osebe' })
  await field.fill('clani')
  await expect(page.getByRole('option')).toContainText(['Člani'])
  await field.fill('uporabnik')
  await expect(page.getByRole('group', { name: 'Strani' })).toBeHidden()
  await checkAccessibility(page, 'search on a phone')
})

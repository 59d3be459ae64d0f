import { readFile } from 'node:fs/promises'
import { account, privacy, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import { expect, hydrated, test } from '../fixtures.ts'

const { cvetka } = people

test.describe('activity', () => {
  test('an entry reported as not mine ends its session and leads to a password change', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const attacker = await openWithoutPage()
    dataOf(await attacker.call(signIn.login, { username: cvetka.email, password: cvetka.password }))

    const { page } = visitor
    await page.goto('/privacy')
    await expect(page).toHaveURL('/privacy/activity')
    await page.getByRole('button', { name: /^Signed in/ }).click()
    await expect(page.getByRole('dialog').getByText('Still signed in')).toBeVisible()
    await page.getByRole('button', { name: 'This was not me' }).click()
    await expect(page).toHaveURL('/change-password')
    await expect(page.getByText('That device is signed out.')).toBeVisible()
    expect((await attacker.call(account.getAccount)).http).toBe(401)
  })

  test('a session that cannot be ended is reported also on the page to which the way back has led', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const visitor = await open({ allow: /ERR_FAILED/ })
    await signUpConfirmed(server, visitor, cvetka)
    const attacker = await openWithoutPage()
    dataOf(await attacker.call(signIn.login, { username: cvetka.email, password: cvetka.password }))
    const { page } = visitor
    const left = Promise.withResolvers<void>()
    await page.route('**/v1/auth/logout/*', async (route) => {
      await left.promise
      await route.abort()
    })
    await page.goto('/devices')
    await page.getByRole('link', { name: 'Privacy' }).first().click()
    await page.getByRole('button', { name: /^Signed in/ }).click()
    await page.getByRole('button', { name: 'This was not me' }).click()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible()
    left.resolve()
    await expect(page.getByText('This was not me: The server can’t be reached.')).toBeVisible()
  })

  test('keeps its filters in the URL', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/privacy/activity?type=CREATED_ACCOUNT')
    await expect(page.getByLabel('Type', { exact: true })).toHaveValue('CREATED_ACCOUNT')
    await expect(page.getByRole('button', { name: /^Created the account/ })).toBeVisible()
    await page.getByLabel('Type', { exact: true }).selectOption('CHANGED_PASSWORD')
    await expect(page.getByText('No activity matches these filters.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL('/privacy/activity')
    await expect(page.getByRole('button', { name: /^Created the account/ })).toBeVisible()
  })
})

test.describe('privacy settings', () => {
  test('saves a switch at once and undoes it', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page, call } = visitor
    await page.goto('/privacy/settings')
    const ads = page.getByRole('switch', { name: 'Personalized ads' })
    await ads.press('Space')
    await expect(page.getByText('Apps may personalize ads for you.')).toBeVisible()
    expect(dataOf(await call(account.getAccount)).allow_personalized_ads).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(ads).not.toBeChecked()
    await expect.poll(async () => dataOf(await call(account.getAccount)).allow_personalized_ads).toBe(false)
  })
})

test('a switch that cannot be saved is reported also on the page that was opened meanwhile', async ({
  server,
  open,
}) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.goto('/privacy/settings')
  const left = Promise.withResolvers<void>()
  await page.route('**/v1/account', async (route) => {
    if (route.request().method() !== 'PUT') return await route.fallback()
    await left.promise
    await route.abort()
  })
  await page.getByRole('switch', { name: 'Personalized ads' }).press('Space')
  await page.getByRole('link', { name: 'Devices' }).first().click()
  await expect(page.getByRole('heading', { name: 'Devices' })).toBeVisible()
  left.resolve()
  await expect(page.getByText('Personalized ads: The server can’t be reached.')).toBeVisible()
})

test.describe('account deletion', () => {
  test('signs out everywhere, and a sign-in cancels it', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/privacy/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Your details, picture, password and activity')).toBeVisible()
    await dialog.getByRole('textbox').fill('somebody else')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(`Type exactly ${cvetka.email}.`)).toBeVisible()
    await dialog.getByRole('textbox').fill(cvetka.email)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Your account will be deleted' })).toBeVisible()
    expect((await visitor.call(account.getAccount)).http).toBe(401)

    await page.getByRole('link', { name: 'Sign in to keep your account' }).click()
    // The sign-in page remembers the account in this browser.
    await page.getByRole('button', { name: /^Cvetka Zajc/ }).click()
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/home')
    await expect(page.getByText('Your account won’t be deleted.')).toBeVisible()
    await expect(page.getByText('Canceled account deletion')).toBeVisible()

    const wrongClock = await visitor.context.newPage()
    await wrongClock.addInitScript(() => {
      const now = Date.now
      Date.now = () => now() + 7_200_000
    })
    await wrongClock.goto('/home')
    await hydrated(wrongClock)
    await expect(wrongClock.getByText('Your account won’t be deleted.')).toBeVisible()
  })
})

test.describe('data request', () => {
  test('creates an archive of the selected data, which can be downloaded', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/privacy/request-data')
    await expect(page.getByText('No requests yet.')).toBeVisible()
    await page.getByRole('checkbox', { name: /^Devices/ }).uncheck()
    await page.getByRole('button', { name: 'Request my data' }).click()
    await expect(page.getByText('You can download it until')).toBeVisible()
    await server.mailedLink(cvetka.email, '/privacy/request-data')

    const downloadStarted = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const download = await downloadStarted
    expect(download.suggestedFilename()).toMatch(/^vrata-\d{4}-\d\d-\d\d\.zip$/)
    const names = fileNamesIn(await readFile(await download.path()))
    expect(names).toContain('index.html')
    expect(names).toContain('account.json')
    expect(names).not.toContain('sessions.json')
  })

  test('reports a download that fails also on the page that was opened meanwhile', async ({ server, open }) => {
    const visitor = await open({ allow: /ERR_FAILED/ })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    dataOf(await visitor.call(privacy.requestData, { parts: ['account'] }))
    await server.mailedLink(cvetka.email, '/privacy/request-data')
    const left = Promise.withResolvers<void>()
    await page.route('**/v1/account/data-request/*/download', async (route) => {
      await left.promise
      await route.abort()
    })
    await page.goto('/privacy/request-data')
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('link', { name: 'Devices' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible()
    left.resolve()
    await expect(page.getByText(/^vrata-\d{4}-\d\d-\d\d\.zip: The server can’t be reached\./)).toBeVisible()
  })
})

/** Names of the files in a ZIP archive, read from its central directory (APPNOTE.TXT §4.3.12). */
function fileNamesIn(zip: Buffer): string[] {
  const names: string[] = []
  for (let entry = zip.indexOf('PK\x01\x02'); entry >= 0; entry = zip.indexOf('PK\x01\x02', entry + 46)) {
    const length = zip.readUInt16LE(entry + 28)
    names.push(zip.toString('utf8', entry + 46, entry + 46 + length))
  }
  return names
}

test('a switch keeps what was chosen when an earlier answer about another one comes late', async ({ server, open }) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.goto('/privacy/settings')
  const shown = page.getByRole('switch', { name: 'Show me on the sign-in page' })
  const ads = page.getByRole('switch', { name: 'Personalized ads' })
  const { promise: isChosen, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/v1/account', async (route) => {
    if (!route.request().postData()?.includes('allow_details_on_login')) return route.continue()
    const response = await route.fetch()
    await isChosen
    await route.fulfill({ response })
  })
  await shown.click()
  await ads.click()
  await expect(page.getByText('Apps may personalize ads for you.')).toBeVisible()
  goOn()
  await expect(page.getByText('Nothing about you is shown on the sign-in page.')).toBeVisible()
  await expect(shown).not.toBeChecked()
  await expect(ads).toBeChecked()
})

import { readFile } from 'node:fs/promises'
import { account, auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { done, settle } from '../settled.ts'

const { cvetka } = people

test.describe('§3 activity', () => {
  test('what somebody else did is objected to: their session ends, and a new password is next', async ({
    house,
    open,
  }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const stranger = await open()
    done(await stranger.call(auth.login, { username: cvetka.email, password: cvetka.password }))

    const { page } = visitor
    await page.goto('/privacy')
    await expect(page).toHaveURL('/privacy/activity')
    await page.getByRole('button', { name: /^Signed in/ }).click()
    await expect(page.getByRole('dialog').getByText('Still signed in')).toBeVisible()
    await page.getByRole('button', { name: 'This was not me' }).click()
    await expect(page).toHaveURL('/change-password')
    await expect(page.getByText('That device is signed out.')).toBeVisible()
    expect((await stranger.call(account.getAccount)).http).toBe(401)
  })

  test('is narrowed down in the address, so that the way back keeps it', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/privacy/activity?type=CREATED_ACCOUNT')
    await expect(page.getByLabel('What', { exact: true })).toHaveValue('CREATED_ACCOUNT')
    await expect(page.getByRole('button', { name: /^Created the account/ })).toBeVisible()
    await page.getByLabel('What', { exact: true }).selectOption('CHANGED_PASSWORD')
    await expect(page.getByText('Nothing like this has happened.')).toBeVisible()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await expect(page).toHaveURL('/privacy/activity')
    await expect(page.getByRole('button', { name: /^Created the account/ })).toBeVisible()
  })
})

test.describe('§3 privacy settings', () => {
  test('are saved as soon as they are switched, and undone', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page, call } = visitor
    await page.goto('/privacy/settings')
    const ads = page.getByRole('switch', { name: 'Personalized ads' })
    await ads.press('Space')
    await expect(page.getByText('Apps may choose ads for you.')).toBeVisible()
    expect(done(await call(account.getAccount)).allow_personalized_ads).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(ads).not.toBeChecked()
    await expect.poll(async () => done(await call(account.getAccount)).allow_personalized_ads).toBe(false)
  })
})

test.describe('§3 deleting the account', () => {
  test('signs out everywhere, says until when, and signing in undoes it', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
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
    await expect(page.getByRole('heading', { name: 'Your account is on its way out' })).toBeVisible()
    expect((await visitor.call(account.getAccount)).http).toBe(401)

    await page.getByRole('link', { name: 'Sign in to keep it' }).click()
    // This browser knows the account, as its details may be shown here.
    await page.getByRole('button', { name: /^Cvetka Zajc/ }).click()
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/home')
    await expect(page.getByText('Your account stays.')).toBeVisible()
    await expect(page.getByText('Kept the account after all')).toBeVisible()
  })
})

test.describe('§3 a copy of one’s data', () => {
  test('is asked for, made, fetched, and holds what was chosen', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/privacy/request-data')
    await expect(page.getByText('Nothing requested yet.')).toBeVisible()
    await page.getByRole('checkbox', { name: /^Devices/ }).uncheck()
    await page.getByRole('button', { name: 'Request my data' }).click()
    await expect(page.getByText('You can fetch it until')).toBeVisible({ timeout: 20_000 })
    await house.mailedLink(cvetka.email, '/privacy/request-data')

    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toMatch(/^vrata-\d{4}-\d\d-\d\d\.zip$/)
    const names = namesIn(await readFile(await saved.path()))
    expect(names).toContain('index.html')
    expect(names).toContain('account.json')
    expect(names).not.toContain('sessions.json')
  })
})

/** Names of the files in a ZIP archive, read from its central directory (APPNOTE.TXT §4.3.12). */
function namesIn(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46)) {
    const length = zip.readUInt16LE(at + 28)
    names.push(zip.toString('utf8', at + 46, at + 46 + length))
  }
  return names
}

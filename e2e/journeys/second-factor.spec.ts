import type { Page } from '@playwright/test'
import { people } from '../../server/test/people.ts'
import { authenticatorApp } from '../authenticator.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { settle } from '../settled.ts'

const { cvetka } = people
const PAGE = '/security/two-factor-authentication'

/** As far as the second step. */
async function giveThePassword(page: Page) {
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page
    .getByRole('button', { name: /^Cvetka Zajc|Cvetka/ })
    .first()
    .click()
  await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}

test('§4 two-step sign-in: turned on, used with the app and with a backup code, turned off', async ({
  house,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page } = visitor

  await page.goto('/home')
  await page.getByRole('link', { name: /Only a password protects your account/ }).click()
  await expect(page).toHaveURL(PAGE)
  await inspect(page, 'two-step sign-in off')
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const app = authenticatorApp(await page.locator('code').innerText())
  await inspect(page, 'two-step sign-in being set up')

  // A wrong code is said at its field, and the next try needs no new picture.
  await page.getByLabel('Code', { exact: true }).fill('000 000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Code is incorrect.')).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  const first = app.code()
  await page.keyboard.type(`${first.slice(0, 3)} ${first.slice(3)}`)
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue(first)
  await page.keyboard.press('Enter')

  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [backup = ''] = await codes.allInnerTexts()
  await inspect(page, 'backup codes')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('Tick this once the codes are saved')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('vrata-backup-codes.txt')
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('10 codes left')).toBeVisible()
  await inspect(page, 'two-step sign-in on')

  await giveThePassword(page)
  await inspect(page, 'second step')
  // The code that turned it on was used already.
  await page.getByLabel('Code', { exact: true }).fill(first)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Code is incorrect.')).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(app.code())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/home')

  await giveThePassword(page)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(backup.toUpperCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/home')

  await page.goto(PAGE)
  await expect(page.getByText('9 codes left')).toBeVisible()
  await page.getByRole('button', { name: 'New codes' }).click()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await expect(codes).toHaveCount(10)
  const [renewed = ''] = await codes.allInnerTexts()
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Finish' }).click()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Code from the app, or a backup code').fill(backup)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('dialog').getByText('Code is incorrect.')).toBeVisible()
  await page.getByLabel('Code from the app, or a backup code').fill(renewed)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
})

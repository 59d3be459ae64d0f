import type { Page } from '@playwright/test'
import { security } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { deviceWithLock } from '../authenticator.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, enableSecondFactor, settle } from '../settled.ts'

const { cvetka } = people
const PAGE = '/security/two-factor-authentication'

test('§4 is it you? asked in a dialog by password, code or passkey, and what was asked goes on', async ({
  house,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page, call } = visitor
  await deviceWithLock(page)
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const named = page.getByRole('heading', { name: 'Name the passkey' })
  await page.goto(PAGE)

  // By the password. The passkey that was asked for is made, without asking again.
  house.ageSignIns()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
  await inspect(page, 'is it you')
  await proof.getByLabel('Password', { exact: true }).fill('not-the-password-1')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('Invalid password.')).toBeVisible()
  await proof.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await page.keyboard.press('Enter')
  await expect(named).toBeVisible()
  await page.keyboard.press('Escape')
  expect(done(await call(security.listPasskeys))).toHaveLength(1)

  // By the passkey: it is removed with its own help.
  const app = await enableSecondFactor(visitor)
  await page.reload()
  house.ageSignIns()
  await removePasskey(page)
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await proof.getByRole('button', { name: 'Use the passkey' }).click()
  await expect(page.getByText('No passkey yet.')).toBeVisible()
  expect(done(await call(security.listPasskeys))).toEqual([])

  // By a code: the ways go round, and one that was left comes again.
  await page.reload()
  house.ageSignIns()
  await page.getByRole('button', { name: 'New codes' }).click()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await proof.getByRole('button', { name: 'Use a code' }).click()
  await proof.getByRole('button', { name: 'Use the password' }).click()
  await proof.getByRole('button', { name: 'Use a code' }).click()
  await proof.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('Code is incorrect.')).toBeVisible()
  await proof.getByLabel('Code', { exact: true }).fill(app.code())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10)

  // Whoever closes the question has asked for nothing, and is where they were.
  await page.reload()
  house.ageSignIns()
  const button = page.getByRole('button', { name: 'Add a passkey' })
  await button.click()
  await expect(proof).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(proof).toBeHidden()
  await expect(button).toBeFocused()
  expect(done(await call(security.listPasskeys))).toEqual([])
})

async function removePasskey(page: Page) {
  await page.getByRole('button', { name: /^Remove: / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
}

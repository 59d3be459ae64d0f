import type { Page } from '@playwright/test'
import { auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { done, settle } from '../settled.ts'

const { ana } = people
const signIn = { username: ana.email, password: ana.password }
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** A page whose socket is open. */
const connected = (page: Page) => page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))

test('§7 a sign-in elsewhere is there at once, and whoever it was is shown out of every tab', async ({
  house,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, ana)
  const { page, context } = visitor
  const open1 = connected(page)
  await page.goto('/devices')
  await open1
  const second = await context.newPage()
  const open2 = connected(second)
  await second.goto('/privacy/activity')
  await open2

  const thief = await open({ userAgent: IPHONE })
  done(await thief.call(auth.login, signIn))
  await expect(page.getByRole('list', { name: 'Devices' }).getByText('Safari on iOS').first()).toBeVisible()
  await expect(second.getByRole('button', { name: /Signed in.*Safari/ })).toBeVisible()

  const tabs = [thief.page, await thief.context.newPage()]
  for (const tab of tabs) {
    const opened = connected(tab)
    await tab.goto('/your-info')
    await opened
  }
  // The sentence of it leads to what was done there, and from there to the way out.
  const told = page.getByRole('status').filter({ hasText: 'A device has just signed in: Safari, iOS' })
  await told.getByRole('button', { name: 'This was not me' }).click()
  await page.getByRole('button', { name: /Signed in.*Safari/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'This was not me' }).click()
  for (const tab of tabs) await expect(tab).toHaveURL(/\/login\?/)
  for (const tab of tabs) await expect(tab.getByText('Your session has ended. Sign in again.')).toBeVisible()
})

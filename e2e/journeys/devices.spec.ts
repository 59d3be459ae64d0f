import { connections, sessions, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { cvetka } = people
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('devices page lists new devices for confirmation and signs out one, then all others', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  const credentials = { username: cvetka.email, password: cvetka.password }
  const phone = await open({ ...PHONE, userAgent: IPHONE })
  dataOf(await phone.call(signIn.login, credentials))
  for (let twice = 0; twice < 2; twice++) dataOf(await (await openWithoutPage()).call(signIn.login, credentials))
  await phone.page.goto('/home')

  // Browsers that look the same are listed each by itself (design §7.17).
  await page.goto('/home')
  await page.getByRole('link', { name: 'Do you recognize 3 new devices?' }).click()
  const devices = page.getByRole('list', { name: 'Devices' }).locator('> li')
  await expect(devices).toHaveCount(4)
  await checkAccessibility(page, 'new devices')
  for (let left = 3; left > 0; left--) {
    await expect(page.getByText('Do you recognize this device?')).toHaveCount(left)
    await page.getByRole('button', { name: 'Yes, I do' }).first().click()
    // Once the question is gone, a person who uses the keyboard goes on from the device.
    await expect(page.getByText('Do you recognize this device?')).toHaveCount(left - 1)
    await expect(page.locator('summary:focus')).toHaveCount(1)
  }
  await expect(devices).toHaveCount(4)
  await expect(devices.first()).toContainText('This device')
  await devices.first().locator('summary').click()
  await checkAccessibility(page, 'devices')

  // A name is given, undone and given again; it stays with the browser.
  for (const undone of [true, false]) {
    await page.getByRole('button', { name: 'Rename: Chrome on Linux' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(devices.first()).toContainText('Work laptop')
    await expect(devices.first()).toContainText('Chrome on Linux · In use now')
    if (undone) await page.getByRole('button', { name: 'Undo' }).click()
    if (undone) await expect(page.getByText('Work laptop', { exact: true })).toBeHidden()
  }

  await page.getByRole('button', { name: 'Sign out: Safari on iOS' }).press('Enter')
  await expect(page.getByText('Signed out: Safari on iOS')).toBeVisible()
  await expect(devices).toHaveCount(3)
  await expect(devices.locator(':focus')).toHaveCount(1)
  // The next request of the phone redirects to the sign-in page.
  await phone.page.goto('/devices')
  await expect(phone.page).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByRole('dialog')).toContainText('This can’t be undone.')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('You are only signed in here.')).toBeVisible()
  expect(dataOf(await visitor.call(sessions.listSessions))).toHaveLength(1)
})

test('devices page signs an unknown device out and then offers to change the password', async ({
  server,
  jadrolet,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  const client = await registerApp(visitor, jadrolet.redirect_uri)
  await jadrolet.start(client)
  dataOf(await call(connections.submitConsent, { client: client.client_id, scopes: ['openid', 'profile', 'email'] }))
  const attacker = await open({ ...PHONE, userAgent: IPHONE })
  dataOf(await attacker.call(signIn.login, { username: cvetka.email, password: cvetka.password }))
  await attacker.page.goto(jadrolet.url)
  await attacker.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
  await expect(attacker.page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.goto('/devices')
  const device = page.getByRole('listitem').filter({ hasText: 'Safari on iOS' })
  await expect(device.first()).toContainText('Jadrolet')
  await device.locator('summary').click()
  await expect(page.getByRole('list', { name: 'Apps used here' })).toContainText('Jadrolet')
  await checkAccessibility(page, 'a new device')
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(page).toHaveURL('/security/change-password')
  await expect(page.getByText('Signed out: Safari on iOS.')).toBeVisible()
  expect(dataOf(await call(sessions.listSessions))).toHaveLength(1)
})

test('devices page does not confirm a new device from another new one, and says where it can be', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const owner = await openWithoutPage()
  await signUpConfirmed(server, owner, cvetka)
  const credentials = { username: cvetka.email, password: cvetka.password }
  const { page, call } = await open()
  dataOf(await call(signIn.login, credentials))
  dataOf(await (await openWithoutPage()).call(signIn.login, credentials))
  await page.goto('/devices')
  await page.getByRole('button', { name: 'Yes, I do' }).click()
  await expect(page.getByText('This device is new, too.')).toBeVisible()
  await checkAccessibility(page, 'a new device seen from another')
  expect(dataOf(await owner.call(sessions.listSessions)).filter(({ unknown }) => unknown)).toHaveLength(2)
})

test('a failure on the devices page is shown until the next attempt', async ({ server, open, openWithoutPage }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const other = await openWithoutPage()
  dataOf(await other.call(signIn.login, { username: cvetka.email, password: cvetka.password }))
  const { page } = visitor
  await page.goto('/devices')
  await page.route('**/v1/auth/sessions/*/known', (route) => route.abort())
  await page.getByRole('button', { name: 'Yes, I do' }).click()
  await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Yes, I do' }).click()
  await expect(page.getByText('Do you recognize this device?')).toBeHidden()
  await expect(page.getByText('The server can’t be reached.')).toBeHidden()
})

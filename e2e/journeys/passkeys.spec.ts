import { account, auth, security } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { deviceWithLock } from '../authenticator.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, settle } from '../settled.ts'

const { cvetka } = people

test('§4 a passkey: added, named, used to sign in, removed', async ({ house, open }) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page, call } = visitor
  const device = await deviceWithLock(page)

  await page.goto('/security/two-factor-authentication')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Name the passkey' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Laptop')).toBeVisible()
  expect(await device.passkeys()).toBe(1)
  await inspect(page, 'passkeys')

  // The same device has one already.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()

  // Nothing is suggested while the person is away from the device.
  await device.verifies(false)
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('button', { name: 'Use another account' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was chosen, or it took too long.' })).toBeVisible()
  await device.verifies(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL('/home')
  expect(done(await call(account.getAccount)).passkeys).toBe(1)

  await page.goto('/security/two-factor-authentication')
  await page.getByRole('button', { name: 'Rename: Laptop' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Prenosnik')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Prenosnik')).toBeVisible()
  await page.getByRole('button', { name: 'Remove: Prenosnik' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No passkey yet.')).toBeVisible()
  expect(done(await call(security.listPasskeys))).toEqual([])
})

test('§4 a passkey from the suggestions of the browser, with nothing pressed', async ({ house, open }) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page, call } = visitor
  await deviceWithLock(page)
  await page.goto('/security/two-factor-authentication')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Name the passkey' })).toBeVisible()
  await page.keyboard.press('Escape')
  done(await call(auth.logout))

  // How the page asks; the browser would show its list, and this device chooses the only passkey at once.
  await page.addInitScript(() => {
    const ask = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      sessionStorage.setItem('mediation', String(options?.mediation))
      return ask(options)
    }
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Use another account' }).click()
  await expect(page).toHaveURL('/home')
  expect(await page.evaluate(() => sessionStorage.getItem('mediation'))).toBe('conditional')
  const [session] = done(await call(auth.listSessions))
  expect(session?.methods).toEqual(['passkey'])
})

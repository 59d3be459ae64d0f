import { auth, connections } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, registerApp, settle } from '../settled.ts'

const { cvetka } = people
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('§2 devices: one is signed out from afar, then all others', async ({ house, open }) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page } = visitor
  const signIn = { username: cvetka.email, password: cvetka.password }
  const phone = await open({ ...PHONE, userAgent: IPHONE })
  done(await phone.call(auth.login, signIn))
  for (let twice = 0; twice < 2; twice++) done(await (await open()).call(auth.login, signIn))
  await phone.page.goto('/home')

  // From a new place: it is asked about, and known from now on.
  await page.goto('/home')
  await page.getByRole('link', { name: 'Do you know 3 new devices?' }).click()
  const devices = page.getByRole('list', { name: 'Devices' }).locator('> li')
  await expect(devices).toHaveCount(4)
  await inspect(page, 'devices that are new')
  for (let left = 3; left > 0; left--) {
    await expect(page.getByText('Do you know this device?')).toHaveCount(left)
    await page.getByRole('button', { name: 'Yes, I know it' }).first().click()
  }
  await expect(devices).toHaveCount(2)
  await expect(devices.first()).toContainText('This device')
  await devices.first().locator('summary').click()
  await inspect(page, 'devices')

  await page.getByRole('button', { name: 'Sign out: Safari on iOS' }).click()
  await expect(page.getByText('Signed out: Safari on iOS')).toBeVisible()
  await expect(devices).toHaveCount(1)
  // The next thing that the phone asks for leads to sign-in.
  await phone.page.goto('/devices')
  await expect(phone.page).toHaveURL(/\/login/)

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone.')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('You are signed in only here.')).toBeVisible()
  expect(done(await visitor.call(auth.listSessions))).toHaveLength(1)
})

test('a device that somebody does not know is signed out, and the password is next', async ({
  house,
  jadrolet,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page, call } = visitor
  const client = await registerApp(visitor, jadrolet.redirect_uri)
  await jadrolet.start(client)
  done(await call(connections.putConsent, { client: client.client_id, scopes: ['openid', 'profile', 'email'] }))
  const stranger = await open({ ...PHONE, userAgent: IPHONE })
  done(await stranger.call(auth.login, { username: cvetka.email, password: cvetka.password }))
  await stranger.page.goto(jadrolet.url)
  await stranger.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
  await expect(stranger.page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.goto('/devices')
  const device = page.getByRole('listitem').filter({ hasText: 'Safari on iOS' })
  await expect(device.first()).toContainText('Jadrolet')
  await device.locator('summary').click()
  await expect(page.getByRole('list', { name: 'Apps used here' })).toContainText('Jadrolet')
  await inspect(page, 'a device that is new')
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(page).toHaveURL('/security/change-password')
  await expect(page.getByText('Signed out: Safari on iOS.')).toBeVisible()
  expect(done(await call(auth.listSessions))).toHaveLength(1)
})

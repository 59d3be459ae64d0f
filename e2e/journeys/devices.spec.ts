import { auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, settle } from '../settled.ts'

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

  await page.goto('/devices')
  const devices = page.getByRole('list', { name: 'Devices' }).locator('> li')
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

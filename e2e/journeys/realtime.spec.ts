import type { Page } from '@playwright/test'
import { account, clients, connections, members, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { halves } from '../../server/test/pictures.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { ana, bor } = people
const credentials = { username: ana.email, password: ana.password }
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** Fast-forwards the page's installed clock, ten seconds at a time, until an expectation passes. */
const fastForwardUntil = (page: Page, expectation: () => Promise<void>) =>
  expect(async () => {
    await page.clock.fastForward(10_000)
    await expectation()
  }).toPass()

test('open pages show a sign-in on another device at once, and ending it signs all its tabs out', async ({
  server,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, ana)
  const { page, context } = visitor
  const firstSocket = socketOpened(page)
  await page.goto('/devices')
  await firstSocket
  const second = await context.newPage()
  const secondSocket = socketOpened(second)
  await second.goto('/privacy/activity')
  await secondSocket

  const attacker = await open({ userAgent: IPHONE })
  dataOf(await attacker.call(signIn.login, credentials))
  // The notification links to the activity entry, which offers to end the session. It stays while the pointer is over it.
  const notification = page.getByRole('status').filter({ hasText: 'A device has just signed in: Safari, iOS' })
  const report = notification.getByRole('button', { name: 'This was not me' })
  await report.hover()
  await expect(page.getByRole('list', { name: 'Devices' }).getByText('Safari on iOS').first()).toBeVisible()
  await expect(second.getByRole('button', { name: /Signed in.*Safari/ })).toBeVisible()

  const tabs = [attacker.page, await attacker.context.newPage()]
  for (const tab of tabs) {
    const opened = socketOpened(tab)
    await tab.goto('/your-info')
    await opened
  }
  await report.click()
  await page.getByRole('button', { name: /Signed in.*Safari/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'This was not me' }).click()
  for (const tab of tabs) await expect(tab).toHaveURL(/\/login\?/)
  for (const tab of tabs) await expect(tab.getByText('Your session has ended. Sign in again.')).toBeVisible()
})

test('an open page tells of a sign-in that is new also where the clock of the browser is wrong', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, ana)
  for (const [hours, device, name, other] of [
    [2, await open({ userAgent: IPHONE }), 'Safari, iOS', 'Chrome'],
    [-2, await openWithoutPage(), 'Chrome', 'Safari, iOS'],
  ] as const) {
    const page = await visitor.context.newPage()
    await page.addInitScript((ms) => {
      const now = Date.now
      Date.now = () => now() + ms
    }, hours * 3_600_000)
    const opened = socketOpened(page)
    await page.goto('/your-info')
    await opened
    dataOf(await device.call(signIn.login, credentials))
    const told = page.getByRole('status').filter({ hasText: 'A device has just signed in' })
    await expect(told).toContainText(name)
    await expect(told).not.toContainText(other)
    await page.close()
  }
})

test('an open page shows changes of the profile, picture, connected apps and level at once', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const owner = await openWithoutPage()
  await signUpConfirmed(server, owner, ana)
  const { client_id, developer_id } = await registerApp(owner)
  const member = await open()
  await signUpConfirmed(server, member, bor)
  const { link } = dataOf(await owner.call(members.inviteMember, { email: bor.email, permission: 'developer' }))
  dataOf(await member.call(members.acceptInvitation, { token: tokenIn(link) }))
  const { id = '' } = dataOf(await owner.call(members.listMembers)).find(({ user }) => user?.email === bor.email) ?? {}

  // The page is not reloaded; all changes are made by API calls.
  const { page } = member
  const openConnected = async (path: string) => {
    const opened = socketOpened(page)
    await page.goto(path)
    await opened
  }

  await openConnected('/applications')
  const accountMenu = page.getByRole('button', { name: /^Accounts/ }).first()
  await expect(accountMenu).toContainText('Bor Horvat')
  dataOf(await member.call(account.updateAccount, { first_name: 'Borut' }))
  await expect(accountMenu).toContainText('Borut Horvat')
  await expect(accountMenu.locator('img[src*="/media/"]')).toHaveCount(0)
  const answer = await member.context.request.put('/v1/account/profile-picture', {
    headers: { origin: server.url },
    multipart: { profile_picture: { name: 'me.png', mimeType: 'image/png', buffer: await halves('png') } },
  })
  expect(answer.status()).toBe(200)
  await expect(accountMenu.locator('img[src*="/media/"]')).toBeVisible()

  dataOf(await member.call(connections.submitConsent, { client: client_id, scopes: ['openid', 'profile'] }))
  const app = page.getByRole('link', { name: /^Jadrolet/ })
  await expect(app).toBeVisible()
  dataOf(await member.call(connections.removeConnection, { client: client_id }))
  await expect(app).toBeHidden()

  await openConnected(`/developers/${developer_id}/applications`)
  const register = page.getByRole('button', { name: 'Register an app' })
  await expect(register).toBeVisible()
  dataOf(await owner.call(members.changeLevel, { id, permission: 'member' }))
  await expect(register).toBeHidden()
  await app.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Jadrolet' })).toBeVisible()
  dataOf(await owner.call(clients.deleteClient, { id: client_id }))
  await expect(page.getByRole('heading', { level: 1, name: 'This page doesn’t exist' })).toBeVisible()
  dataOf(await owner.call(members.removeMember, { id }))
  await expect(page).not.toHaveURL(new RegExp(developer_id))
})

test('a lost connection is reported, and the page reconnects and shows what changed meanwhile', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const visitor = await open({ allow: /ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET/ })
  await signUpConfirmed(server, visitor, ana)
  const { page } = visitor
  await page.clock.install()
  const opened = socketOpened(page)
  await page.goto('/your-info')
  await opened
  const lost = page.getByRole('status').filter({ hasText: 'Connection lost.' })

  await server.crash()
  await fastForwardUntil(page, () => expect(lost).toBeVisible({ timeout: 500 }))

  await server.restart()
  const otherBrowser = await openWithoutPage()
  dataOf(await otherBrowser.call(signIn.login, credentials))
  dataOf(await otherBrowser.call(account.updateAccount, { first_name: 'Anica' }))
  await fastForwardUntil(page, () => expect(lost).toBeHidden({ timeout: 500 }))
  await expect(page.getByRole('link', { name: /^Name/ })).toContainText('Anica Kovač')
})
